import { InvalidPasswordHash, type PasswordHash } from './hash.ts';

const ENCODED = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/** 2^14 rounds take two to six seconds of one core; hashes that were imported before the bound was lowered have them. */
const COSTS = { least: 4, most: 14 };
/** What an import may cost, and a decoy: 2^12 rounds take about a second of a slow core, on the main thread. */
const MOST_IMPORTED = 12;

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

const costOf = (encoded: string): number => Number(encoded.slice(4, 6));

/** Rejects a hash that would make each try of a password dear. @throws InvalidPasswordHash */
export function checkImportedCost(encoded: string): void {
  if (costOf(encoded) <= MOST_IMPORTED) return;
  throw new InvalidPasswordHash(
    `its cost must be ${COSTS.least} to ${MOST_IMPORTED}; leave it out, and the user chooses a password by a reset link`,
  );
}

/** A hash that no password has, as costly as the given one but no dearer than an import may be. */
export const bcryptDecoy = (encoded: string): string =>
  `${encoded.slice(0, 4)}${String(Math.min(costOf(encoded), MOST_IMPORTED)).padStart(2, '0')}$${'C'.repeat(53)}`;
