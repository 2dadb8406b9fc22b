import { InvalidPasswordHash, type PasswordHash } from './hash.ts';

const ENCODED = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/**
 * Costs of hashes that can be verified. 2^14 rounds take two to six seconds of one core; hashes that were imported before
 * the limit was lowered can have them.
 */
const COSTS = { least: 4, most: 14 };
/** Maximum cost of an import and of a decoy: 2^12 rounds take about a second on a slow core, on the main thread. */
const MOST_IMPORTED = 12;

/**
 * A bcrypt hash in modular crypt form. Like every bcrypt hash it uses only the first 72 bytes of a password. It is computed
 * on the main thread, in slices of 100 ms.
 * @throws InvalidPasswordHash
 */
export function bcryptHash(encoded: string): PasswordHash {
  const cost = Number(ENCODED.exec(encoded)?.[1] ?? Number.NaN);
  if (Number.isNaN(cost)) throw new InvalidPasswordHash('it is not of the form $2b$12$ and 53 characters');
  if (cost < COSTS.least || cost > COSTS.most) {
    throw new InvalidPasswordHash(`its cost must be ${COSTS.least} to ${COSTS.most}`);
  }
  return {
    // The library is loaded when a password with such a hash is verified, so that no cold start loads it.
    verify: async (password) => (await import('bcryptjs')).compare(password, encoded),
  };
}

const readCost = (encoded: string): number => Number(encoded.slice(4, 6));

/** Rejects a hash whose verification would be too expensive. @throws InvalidPasswordHash */
export function checkImportedCost(encoded: string): void {
  if (readCost(encoded) <= MOST_IMPORTED) return;
  throw new InvalidPasswordHash(
    `its cost must be ${COSTS.least} to ${MOST_IMPORTED}; leave it out, and the user chooses a password by a reset link`,
  );
}

/** A hash that matches no password and costs as much as the given one, up to the maximum of an import. */
export const bcryptDecoy = (encoded: string): string =>
  `${encoded.slice(0, 4)}${String(Math.min(readCost(encoded), MOST_IMPORTED)).padStart(2, '0')}$${'C'.repeat(53)}`;
