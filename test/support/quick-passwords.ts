import crypto, { type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * The service of a test process loads this first: argon2id with the service's own cost (19 MiB, two passes) runs with a
 * sixty-fourth of the memory. A hash costs 30 ms of CPU, and most tests sign in without being about passwords. Imported
 * hashes of other costs are computed as they are, `test/rules/password-hashes.test.ts` has the real cost, and `npm run
 * soak` and `npm run bench` measure times with it.
 */
const OWN = { memory: 19_456, passes: 2 };
const QUICK = { memory: 304, passes: 1 };

const { argon2 } = crypto;
crypto.argon2 = (algorithm, parameters, callback) => argon2(algorithm, cheaper(parameters), callback);
syncBuiltinESMExports();

function cheaper(parameters: Argon2Parameters): Argon2Parameters {
  const isOwn = parameters.memory === OWN.memory && parameters.passes === OWN.passes;
  return isOwn ? { ...parameters, ...QUICK } : parameters;
}
