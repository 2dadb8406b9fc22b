import { findEnvironment } from '../authentication/environment.ts';
import { computeNetwork } from './client-network.ts';
import { consume, tooMany } from './counter.ts';
import { type LimitName, findLimit } from './named-limits.ts';
import type { Unit } from '../storage/unit.ts';

/**
 * Counts attempts of a client by its network, once in a call.
 * @param environmentId empty for requests that belong to no environment yet
 * @throws Failure: the general 429
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
