import type { AuthorizationRequest } from '../../modules/sign-in-flows/public.ts';
import { clock } from '../../../kernel/clock.ts';

/** A requirement that the user authenticates again (OpenID Connect Core 1.0 section 3.1.2.1). */
export interface Reauthentication {
  prompt?: 'login';
  /** Maximum age in seconds of the authentication. */
  maxAge?: number;
}

/** The requirement of a sign-in's application; undefined if an earlier sign-in at a provider is sufficient. */
export function requiredReauthentication({ prompt = '', maxAge }: AuthorizationRequest): Reauthentication | undefined {
  const isLogin = prompt.split(' ').includes('login');
  if (!isLogin && maxAge === undefined) return undefined;
  return { ...(isLogin && { prompt: 'login' as const }), ...(maxAge !== undefined && { maxAge }) };
}

/** Tolerance in milliseconds for a provider's clock. */
const LEEWAY = 60_000;

/**
 * Reports whether an authentication at a provider is recent enough.
 * @param authenticatedAt the ID token's `auth_time`, in milliseconds
 * @param sentAt the time when the browser was redirected to the provider
 */
export function isFresh(authenticatedAt: number, sentAt: number, { prompt, maxAge }: Reauthentication): boolean {
  const oldest = clock.now() - (maxAge ?? Number.POSITIVE_INFINITY) * 1_000;
  return authenticatedAt + LEEWAY >= (prompt === 'login' || maxAge === 0 ? sentAt : oldest);
}
