import { awaitAll, mapConcurrently } from '../../../kernel/concurrency.ts';
import { LruMap } from '../../../kernel/memory.ts';
import { Snapshots } from '../../../kernel/storage/snapshot.ts';
import { type FlagRecord, readFlags } from '../flag/entity.ts';
import { flagsVersion } from '../flag/set.ts';
import { readMemberIds, tallies, targetsVersion } from '../target/entity.ts';
import type { TargetedFlag } from './payload.ts';

/** Cached flags with targets by environment. 50,000 targets take some 5 MB. */
const polled = new Snapshots<readonly TargetedFlag[]>(20);

/** The ids of a flag's targets with their version: only the targets of flags whose version differs are read again. */
const cachedIds = new LruMap<{ version: number; ids: readonly string[] }>(10_000);

/** Number of flags whose targets are read in parallel. */
const AT_ONCE = 20;

/**
 * The version of an environment's flags with their targets, by two strongly consistent GetItems in parallel. Each change of
 * a flag or a target increments it.
 */
export async function polledVersion(environmentId: string): Promise<number> {
  const versions = await awaitAll([flagsVersion(environmentId), targetsVersion(environmentId)]);
  return versions[0] + versions[1];
}

/**
 * The flags of an environment with their targets at the given version or a later one. It reads nothing if this instance has
 * cached it. Otherwise it reads the flags, the versions of their targets, and the targets of those whose version differs,
 * by a Query for each.
 */
export const loadTargetedFlags = (environmentId: string, version: number): Promise<readonly TargetedFlag[]> =>
  polled.load(
    environmentId,
    {
      version: () => polledVersion(environmentId),
      rows: () => readTargetedFlags(environmentId),
      compile: (flags) => flags,
    },
    version,
  );

async function readTargetedFlags(environmentId: string): Promise<TargetedFlag[]> {
  const flags = await readFlags(environmentId);
  const ids = flags.map(({ id }) => id);
  const counted = new Map((await tallies.getMany(environmentId, ids)).map((tally) => [tally.id, tally]));
  return mapConcurrently(flags, AT_ONCE, async (flag) => {
    const tally = counted.get(flag.id);
    const isEmpty = tally === undefined || tally.count === 0;
    return { flag, targetIds: isEmpty ? [] : await readIds(flag, tally.version) };
  });
}

async function readIds({ environmentId, id }: FlagRecord, version: number): Promise<readonly string[]> {
  const key = `${environmentId} ${id}`;
  const cached = cachedIds.get(key);
  if (cached?.version === version) return cached.ids;
  // Targets that are newer than the version do no harm: the version of the environment is then different as well, and all
  // is read again.
  const ids = await readMemberIds(environmentId, id);
  cachedIds.set(key, { version, ids });
  return ids;
}
