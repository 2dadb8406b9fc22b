import { findEnvironment } from '../../kernel/authentication/environment.ts';
import { computeNetwork } from '../../kernel/limits/client-network.ts';
import { consume, tooMany } from '../../kernel/limits/counter.ts';
import { type LimitName, findLimit } from '../../kernel/limits/named-limits.ts';
import type { Unit } from '../../kernel/storage/unit.ts';

/**
 * Counts attempts of a client address, once in a call.
 * @throws Failure: the general 429
 * @param environmentId empty for requests that belong to no environment yet
 */
export async function countAddress(
  unit: Pick<Unit, 'once'>,
  environmentId: string,
  name: Extract<LimitName, `${string}.address`>,
  address: string,
): Promise<void> {
  const limit = findLimit(name, (await findEnvironment(environmentId))?.settings);
  if (limit === undefined) return;
  const key = computeNetwork(address);
  const verdict = await unit.once(`count ${name}`, () => consume(environmentId, { name, key }, limit));
  if (!verdict.allowed) throw tooMany(verdict);
}
