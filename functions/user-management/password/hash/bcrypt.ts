import { InvalidPasswordHash, type PasswordHash } from './hash.ts';

const ENCODED = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/** 2^14 rounds take two to three seconds of one core; each further one doubles that. */
const COSTS = { least: 4, most: 14 };

/**
 * A bcrypt hash in modular crypt form. Like every bcrypt it sees the first 72 bytes of a password; it runs on the main thread, in
 * turns of 100 ms.
 * @throws InvalidPasswordHash
 */
export function bcryptHash(encoded: string): PasswordHash {
  const cost = Number(ENCODED.exec(encoded)?.[1] ?? Number.NaN);
  if (Number.isNaN(cost)) throw new InvalidPasswordHash('it is not of the form $2b$12$ and 53 characters');
  if (cost < COSTS.least || cost > COSTS.most) {
    throw new InvalidPasswordHash(`its cost must be ${COSTS.least} to ${COSTS.most}`);
  }
  return {
    // Loaded when a password of such a hash is presented: no cold start pays for it.
    verify: async (password) => (await import('bcryptjs')).compare(password, encoded),
  };
}
