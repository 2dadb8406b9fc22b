import { findEnvironment } from '../../../../kernel/authentication/environment.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import type { EventRecord } from '../../../../kernel/events/entity.ts';
import { readSubject } from '../../../../kernel/events/subject.ts';
import { computeNetwork } from '../../../../kernel/limits/client-network.ts';
import { type Count, readCounts } from '../../../../kernel/limits/counter.ts';
import { findLimit, type Limit } from '../../../../kernel/limits/named-limits.ts';
import { readSubjectEvents } from '../../../../kernel/events/reading.ts';
import { findFactors } from '../../../../proofs/mfa/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { type CountedPerson, listCounters, type PersonCounter } from './rules.ts';

/** A counter with its limit and its state. */
export interface FoundLimit extends PersonCounter, Count {
  limit: Limit;
}

/** Number of the person's latest events in which networks are looked for, and of networks. */
const LATEST = 50;
const MOST_NETWORKS = 5;

/** The latest events of a user or an address, the newest first, by one Query, which lags by moments. */
export async function findLatestEvents(environmentId: string, subject: string): Promise<readonly EventRecord[]> {
  const found = readSubject(environmentId, subject);
  if (found === undefined) return [];
  return (await readSubjectEvents(environmentId, found, {}, { scan: 'desc', limit: LATEST })).records;
}

/** The networks from which events report attempts, the latest first, after that of a given address. */
export function findNetworks(events: readonly EventRecord[], ipAddress: string | undefined): string[] {
  const addresses = events.map(({ data }) => (JSON.parse(data) as { ip_address?: unknown }).ip_address);
  const known = [ipAddress, ...addresses].filter((address) => typeof address === 'string' && address !== '');
  return [...new Set(known.map((address) => computeNetwork(address as string)))].slice(0, MOST_NETWORKS);
}

/** The counters of a person that are enabled, by one BatchGetItem for each hundred. */
export async function findLimits(environmentId: string, person: CountedPerson): Promise<FoundLimit[]> {
  const settings: unknown = (await findEnvironment(environmentId))?.settings;
  const counters = listCounters(person).flatMap((counter) => {
    const limit = findLimit(counter.name, settings);
    return limit === undefined ? [] : [{ ...counter, limit }];
  });
  const counts = await readCounts(environmentId, counters);
  return counters.map((counter, at) => ({ ...counter, ...(counts[at] ?? { used: 0, endsAt: 0 }) }));
}

/** The counters of a user: factors and events in one wave, then the counters. */
export async function findUserLimits(
  user: Pick<UserRecord, 'environmentId' | 'id' | 'email'>,
  ipAddress: string | undefined,
): Promise<FoundLimit[]> {
  const { environmentId, id, email } = user;
  const [factors, events] = await awaitAll([findFactors(environmentId, id), findLatestEvents(environmentId, id)]);
  return findLimits(environmentId, { userId: id, email, factors, networks: findNetworks(events, ipAddress) });
}
