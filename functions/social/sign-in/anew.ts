import type { AuthorizationRequest } from '../../authentication/public.ts';
import { clock } from '../../kernel/clock.ts';

/** That a person has to prove anew who they are (OpenID Connect Core 1.0 section 3.1.2.1). */
export interface Anew {
  prompt?: 'login';
  /** Seconds that the proof may be old. */
  maxAge?: number;
}

/** What the application of a sign-in asks for; undefined where an earlier sign-in at a provider will do. */
export function askedAnew({ prompt = '', maxAge }: AuthorizationRequest): Anew | undefined {
  const isLogin = prompt.split(' ').includes('login');
  if (!isLogin && maxAge === undefined) return undefined;
  return { ...(isLogin && { prompt: 'login' as const }), ...(maxAge !== undefined && { maxAge }) };
}

/** Milliseconds by which a provider's clock may differ. */
const LEEWAY = 60_000;

/**
 * Whether a proof at a provider is as fresh as it has to be.
 * @param authenticatedAt As the ID token's `auth_time` says, in milliseconds. @param sentAt When the person was sent there.
 */
export function isFresh(authenticatedAt: number, sentAt: number, { prompt, maxAge }: Anew): boolean {
  const oldest = clock.now() - (maxAge ?? Number.POSITIVE_INFINITY) * 1_000;
  return authenticatedAt + LEEWAY >= (prompt === 'login' || maxAge === 0 ? sentAt : oldest);
}
