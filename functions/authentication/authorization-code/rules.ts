import { createHash } from 'node:crypto';

/** RFC 7636 sections 4.1 and 4.2: what a verifier and an S256 challenge are made of. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text can be the S256 challenge of a verifier: 32 bytes in base64url. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** The S256 challenge of a verifier; undefined for what cannot be one. */
export const challengeOf = (verifier: string): string | undefined =>
  VERIFIER.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : undefined;

/** What an exchange shows beside its code. */
export interface Shown {
  client: 'confidential' | 'public';
  verifier: string | undefined;
  redirectUri: string | undefined;
}

/** Why a code's exchange is refused before the code is even looked at as used or fresh. */
export type ExchangeFault = 'secret_required' | 'verifier_required' | 'challenge_missing' | 'mismatch';

/**
 * Whether an exchange shows what its code asks for. A code with a challenge always needs its verifier, secret or not; one
 * without always needs the secret, and takes no verifier: else whoever stole a code could choose how it is redeemed
 * (PKCE downgrade, RFC 9700 section 4.8.2).
 * @param isSame Compares in constant time.
 */
export function exchangeFault(
  code: { codeChallenge?: string | undefined; redirectUri: string },
  { client, verifier, redirectUri }: Shown,
  isSame: (one: string, other: string) => boolean,
): ExchangeFault | undefined {
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) return 'mismatch';
  if (code.codeChallenge === undefined) {
    if (client === 'public') return 'secret_required';
    return verifier === undefined ? undefined : 'challenge_missing';
  }
  if (verifier === undefined) return 'verifier_required';
  const challenge = challengeOf(verifier);
  return challenge !== undefined && isSame(challenge, code.codeChallenge) ? undefined : 'mismatch';
}
