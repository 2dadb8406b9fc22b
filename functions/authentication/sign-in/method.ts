import type { AuthMethod } from '../../sessions/public.ts';
import type { SignInSettings } from '../../email-proofs/public.ts';

/** How a user proved who it is, as sessions name it. */
export type Method = AuthMethod;

/** The contract's `authentication_method`; of a provider its own name. */
const NAMES = {
  password: 'Password',
  magic_code: 'MagicAuth',
  sso: 'SSO',
  passkey: 'Passkey',
  impersonation: 'Impersonation',
  external_auth: 'ExternalAuth',
  cross_app_auth: 'CrossAppAuth',
  migrated_session: 'MigratedSession',
} as const satisfies Partial<Record<Method, string>>;

/** The name of a method in an answer; undefined where the contract has none. */
export const methodName = (method: Method, provider?: string): string | undefined =>
  method === 'oauth' ? provider : method === 'unknown' ? undefined : NAMES[method];

/** Whether an environment lets people sign in this way. */
export function isOpen({ methods }: SignInSettings, method: Method): boolean {
  if (method === 'password') return methods.password;
  if (method === 'magic_code') return methods.magic_auth;
  if (method === 'oauth') return methods.social;
  return true;
}

/** Whether a second factor is asked for after this method: who signs in elsewhere is asked there. */
export const asksSecondFactor = (method: Method): boolean =>
  method === 'password' || method === 'magic_code' || method === 'oauth';
