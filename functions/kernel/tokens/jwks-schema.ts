import * as z from 'zod';

const JsonWebKey = z.object({
  alg: z.literal('RS256'),
  kty: z.literal('RSA'),
  use: z.literal('sig'),
  x5c: z.array(z.string()),
  n: z.string(),
  e: z.string(),
  kid: z.string(),
  'x5t#S256': z.string(),
});

/** A JWK Set (RFC 7517 section 5). */
export const Jwks = z.object({ keys: z.array(JsonWebKey) }).meta({ id: 'JwksResponse' });

/** One key of the set, with the members that the contract names. */
export type JsonWebKey = z.output<typeof JsonWebKey>;
