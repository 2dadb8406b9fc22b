import type { AuthMethod } from '../../../../kernel/events/catalogue/sessions.ts';
import type { SignInSettings } from '../../email-proofs/public.ts';

/** The user's authentication method, under the names that sessions use. */
export type Method = AuthMethod;

/** The contract's `authentication_method` for each method; a provider has its own name. */
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

/** The name of a method in a response; undefined if the contract has none. */
export const methodName = (method: Method, provider?: string): string | undefined =>
  method === 'oauth' ? provider : method === 'unknown' ? undefined : NAMES[method];

/** Reports whether an environment has enabled a sign-in method. */
export function isOpen({ methods }: SignInSettings, method: Method): boolean {
  if (method === 'password') return methods.password;
  if (method === 'magic_code') return methods.magic_auth;
  if (method === 'oauth') return methods.social;
  if (method === 'passkey') return methods.passkey;
  return true;
}

/**
 * Reports whether a second factor is required after this method. It is not after single sign-on, whose identity provider
 * requires its own factors, nor after a passkey.
 */
export const asksSecondFactor = (method: Method): boolean =>
  method === 'password' || method === 'magic_code' || method === 'oauth';
