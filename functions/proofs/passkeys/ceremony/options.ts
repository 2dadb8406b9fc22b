import type { PasskeyRecord } from '../passkey/entity.ts';
import type { RelyingParty } from '../relying-party.ts';
import { CHALLENGE_SECONDS } from './challenge-entity.ts';

// The options are built here and not by the library, which is only loaded to verify a response.

export const ES256 = -7;

/** The accepted COSE algorithms in order of preference: EdDSA, ES256, RS256 (RFC 9053, RFC 8812). */
export const ALGORITHMS = [-8, ES256, -257] as const;

const TIMEOUT_MS = CHALLENGE_SECONDS * 1_000;

type Listed = Pick<PasskeyRecord, 'credentialId' | 'transports'>;

const describe = ({ credentialId, transports }: Listed) => ({
  type: 'public-key' as const,
  id: credentialId,
  ...(transports.length > 0 && { transports }),
});

/** Options of `navigator.credentials.create()` in JSON (`PublicKeyCredentialCreationOptionsJSON`). */
export const creationOptions = (
  { id }: RelyingParty,
  {
    challenge,
    brand,
    user,
    existing,
  }: {
    challenge: string;
    /** The name that the browser shows for the service. */
    brand: string;
    user: { handle: string; email: string; name?: string | undefined };
    /** The user's passkeys: an authenticator that has one of them creates no second one. */
    existing: readonly Listed[];
  },
) => ({
  challenge,
  rp: { id, name: brand },
  user: { id: user.handle, name: user.email, displayName: user.name ?? user.email },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: TIMEOUT_MS,
  attestation: 'none' as const,
  authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'preferred' as const },
  excludeCredentials: existing.map(describe),
});

/**
 * Options of `navigator.credentials.get()` in JSON (`PublicKeyCredentialRequestOptionsJSON`).
 * @param allowed the passkeys of a known user; if empty, the browser offers all that it has for the domain
 */
export const requestOptions = (
  { id }: RelyingParty,
  { challenge, allowed, mustVerifyUser }: { challenge: string; allowed: readonly Listed[]; mustVerifyUser: boolean },
) => ({
  challenge,
  rpId: id,
  timeout: TIMEOUT_MS,
  userVerification: mustVerifyUser ? ('required' as const) : ('preferred' as const),
  allowCredentials: allowed.map(describe),
});

/** Options for an authenticator, which a page passes to its script as JSON. */
export type CreationOptions = ReturnType<typeof creationOptions>;
export type RequestOptions = ReturnType<typeof requestOptions>;
