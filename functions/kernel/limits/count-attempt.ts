import { findEnvironment } from '../authentication/environment.ts';
import type { Unit } from '../storage/unit.ts';
import { computeNetwork } from './client-network.ts';
import { consume, tooMany } from './counter.ts';
import { findLimit, type LimitName } from './named-limits.ts';

/**
 * Counts an attempt against a limit, once in a call.
 * @param environmentId empty for requests that belong to no environment yet
 * @param key the value by which attempts are counted
 * @throws Failure: the general 429
 */
export async function countAttempt(
  unit: Pick<Unit, 'once'>,
  environmentId: string,
  name: LimitName,
  key: string,
): Promise<void> {
  const limit = findLimit(name, (await findEnvironment(environmentId))?.settings);
  if (limit === undefined) return;
  const verdict = await unit.once(`count ${name}`, () => consume(environmentId, { name, key }, limit));
  if (!verdict.allowed) throw tooMany(verdict);
}

/** Counts an attempt of a client by its network, as {@link countAttempt} does. */
export const countAddress = (
  unit: Pick<Unit, 'once'>,
  environmentId: string,
  name: Extract<LimitName, `${string}.address`>,
  address: string,
): Promise<void> => countAttempt(unit, environmentId, name, computeNetwork(address));
