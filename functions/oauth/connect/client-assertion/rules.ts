import { createPublicKey, type JsonWebKey } from 'node:crypto';

/** The algorithms by which an assertion may be signed; each belongs to one type of key (RFC 7518 section 3.1, RFC 8037). */
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const;

/** The maximum number of keys of an application, and the minimum number of bits of an RSA key (RFC 7518 section 3.3). */
const MAX_KEYS = 10;
const RSA_BITS = 2_048;

/** The curves and key types that the algorithms use. */
const KINDS: ReadonlySet<string> = new Set(['rsa', 'ec P-256', 'ec P-384', 'ed25519']);

/** The members of a JWK that only private or symmetric keys have (RFC 7518 section 6). */
const SECRET_MEMBERS = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth'];

/** A public key in its JSON form (RFC 7517). */
export type Jwk = JsonWebKey & { kid?: string; alg?: string; use?: string };

/** Returns the reason why a key cannot verify assertions, or undefined if it can. */
function findKeyFault(key: unknown): string | undefined {
  if (typeof key !== 'object' || key === null) return 'is not an object';
  const jwk = key as Jwk;
  if (SECRET_MEMBERS.some((name) => name in jwk)) return 'has a secret member; send the public key only';
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPublicKey({ key: jwk, format: 'jwk' });
    if (!KINDS.has(type === 'ec' ? `ec ${String(jwk.crv)}` : String(type))) return 'is of a kind that is not supported';
    if (type === 'rsa' && (details?.modulusLength ?? 0) < RSA_BITS) return `has fewer than ${RSA_BITS} bits`;
    return undefined;
  } catch {
    return 'is not a public key';
  }
}

/** Returns the keys of a JWK Set that verify assertions, or what is wrong with the set. Unknown members of keys are left out. */
export function readKeys(set: unknown): { keys: Jwk[] } | { fault: string } {
  const { keys } = (typeof set === 'object' && set !== null ? set : {}) as { keys?: unknown };
  if (!Array.isArray(keys) || keys.length === 0) return { fault: 'needs a member keys with at least one key' };
  if (keys.length > MAX_KEYS) return { fault: `has more than ${MAX_KEYS} keys` };
  for (const [at, key] of keys.entries()) {
    const fault = findKeyFault(key);
    if (fault !== undefined) return { fault: `keys.${at} ${fault}` };
  }
  const known = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use'];
  return {
    keys: (keys as Jwk[]).map(
      (key) => Object.fromEntries(Object.entries(key).filter(([name]) => known.includes(name))) as Jwk,
    ),
  };
}
