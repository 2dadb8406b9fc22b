import { createHash } from 'node:crypto';

/** The characters of a verifier and an S256 challenge (RFC 7636 sections 4.1 and 4.2). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Reports whether a text is a well-formed S256 challenge: 32 bytes in base64url. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** The S256 challenge of a verifier; undefined for an invalid verifier. */
export const computeChallenge = (verifier: string): string | undefined =>
  VERIFIER.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : undefined;

/** The proofs that an exchange presents with its code. */
export interface PresentedCode {
  client: 'confidential' | 'public';
  verifier: string | undefined;
  redirectUri: string | undefined;
}

/** The reasons for rejecting an exchange before the code's state is checked. */
export type ExchangeFault = 'secret_required' | 'verifier_required' | 'challenge_missing' | 'mismatch';

/**
 * Decides whether an exchange has the proofs that its code requires. A code with a challenge always requires its verifier,
 * with or without a secret. A code without a challenge always requires the secret, and accepts no verifier. Otherwise an
 * attacker with a stolen code could choose the method (PKCE downgrade, RFC 9700 section 4.8.2).
 * @param isSame compares two texts in constant time
 */
export function exchangeFault(
  code: { codeChallenge?: string | undefined; redirectUri: string },
  { client, verifier, redirectUri }: PresentedCode,
  isSame: (one: string, other: string) => boolean,
): ExchangeFault | undefined {
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) return 'mismatch';
  if (code.codeChallenge === undefined) {
    if (client === 'public') return 'secret_required';
    return verifier === undefined ? undefined : 'challenge_missing';
  }
  if (verifier === undefined) return 'verifier_required';
  const challenge = computeChallenge(verifier);
  return challenge !== undefined && isSame(challenge, code.codeChallenge) ? undefined : 'mismatch';
}
