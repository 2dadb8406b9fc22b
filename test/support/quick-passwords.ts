import crypto, { type Argon2Parameters } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded first by the service of a test process, and by the environment of each test file outside of `test/rules`: argon2id
 * with the service's own cost (19 MiB, two passes) runs with a sixty-fourth of the memory. A hash costs 30 ms of CPU, and
 * most tests sign in without being about passwords. Imported hashes of other costs are computed as they are;
 * `test/rules/password-hashes.test.ts`, `npm run soak` and `npm run bench` have the real cost. With GATEHOUSE_TEST_HASHES
 * each hash adds a byte to that file, which `hashes` of `service.ts` counts.
 */
const OWN = { memory: 19_456, passes: 2 };
const QUICK = { memory: 304, passes: 1 };

const { argon2 } = crypto;

const quick: typeof argon2 = (algorithm, parameters, callback) => {
  if (process.env.GATEHOUSE_TEST_HASHES !== undefined) appendFileSync(process.env.GATEHOUSE_TEST_HASHES, '.');
  argon2(algorithm, cheaper(parameters), callback);
};

function cheaper(parameters: Argon2Parameters): Argon2Parameters {
  const isOwn = parameters.memory === OWN.memory && parameters.passes === OWN.passes;
  return isOwn ? { ...parameters, ...QUICK } : parameters;
}

/** Sets the cost of passwords in this process to the reduced or the real one. */
export function setQuickPasswords(isQuick: boolean): void {
  crypto.argon2 = isQuick ? quick : argon2;
  syncBuiltinESMExports();
}

setQuickPasswords(process.env.GATEHOUSE_REAL_PASSWORDS === undefined);
