import { raiseHead, readVersion } from '../../../kernel/storage/head.ts';
import { Snapshots } from '../../../kernel/storage/snapshot.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { type FlagRecord, readFlags } from './entity.ts';

/** All flags of an environment. */
export interface FlagSet {
  version: number;
  bySlug: ReadonlyMap<string, FlagRecord>;
}

/** The name of the row with the version of an environment's flags. */
const FLAGS_HEAD = 'flags';

/** Cached flags by environment, of at most 50 environments. 500 flags take some 500 KB. */
const sets = new Snapshots<FlagSet>(50);

/** The version of an environment's flags, without their targets, by one strongly consistent GetItem. */
export const flagsVersion = (environmentId: string): Promise<number> => readVersion(environmentId, FLAGS_HEAD);

/**
 * The current flags of an environment. It takes one strongly consistent GetItem while this instance has cached their
 * version, otherwise two round trips: the flags with the version, and the version again.
 */
export const loadFlags = (environmentId: string): Promise<FlagSet> =>
  sets.load(environmentId, {
    version: () => flagsVersion(environmentId),
    rows: () => readFlags(environmentId),
    compile: (rows, version) => ({ version, bySlug: new Map(rows.map((flag) => [flag.slug, flag])) }),
  });

/**
 * Stages changes of flags with the next version, which adds four rows to the unit of work. It fails if any flag was changed
 * since they were read, so slugs stay unique and the number of flags exact.
 */
export function stageFlags(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  { version }: FlagSet,
  writes: readonly Write[],
): void {
  unit.stage([...writes, ...raiseHead(environmentId, FLAGS_HEAD, version)]);
}
