import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import { listIds } from '../../../kernel/storage/window.ts';
import type { Write } from '../../../kernel/storage/write.ts';

/**
 * A target with the flags that target it, at most 500. Its id is that of the user or organization, or the type and id of a
 * custom target (`custom.ts`).
 */
const TargetEntity = entity({
  model: model('flag-target'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** Ids of flags. Ids of deleted flags are ignored, since an id is never used again. */
    flagIds: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('flag-target'), owned: ownedIndex },
});

export type TargetRecord = RecordOf<typeof TargetEntity>;

/**
 * The flags of targets: `get` is one strongly consistent GetItem. They contain the same data as the rows of {@link
 * flagMembers}.
 */
export const targets = collection(TargetEntity, 'internal');

/** A target of a flag, in the flag's partition, with the same id as in {@link targets}. */
const FlagMemberEntity = entity({
  model: model('flag-member'),
  attributes: { ...recordAttributes, ...ownedAttributes, flagId: { type: 'string', required: true, readOnly: true } },
  indexes: {
    /** All targets of a flag: one strongly consistent Query for each megabyte (some 4,000 targets). */
    primary: childKey('flag-member', 'flagId'),
    owned: ownedIndex,
  },
});

/** The targets of flags. */
export const flagMembers = collection(FlagMemberEntity, 'internal');

/**
 * The number of targets of a flag, by its id, and of an environment, with the id `all`. A change of targets increments the
 * version of both rows, so that the numbers are exact and the version of `all` is the version of the environment's targets.
 */
const TallyEntity = entity({
  model: model('flag-tally'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    count: { type: 'number', required: true },
    /** The numbers of a flag's custom targets by type; absent if it never had one. */
    types: { type: 'any' },
  },
  indexes: { primary: recordKey('flag-tally'), owned: ownedIndex },
});

type TallyRecord = RecordOf<typeof TallyEntity>;

export const tallies = collection(TallyEntity, 'internal');

/** The id of the row for the whole environment. */
export const ALL_TARGETS = 'all';

/** The version of the targets of an environment, 0 if it never had one, by one strongly consistent GetItem. */
export const targetsVersion = async (environmentId: string): Promise<number> =>
  (await tallies.get(environmentId, ALL_TARGETS))?.version ?? 0;

/** The write that sets the environment's number of targets. It fails if any target was changed since it was read. */
export const countAll = (environmentId: string, former: TallyRecord | undefined, count: number): Write =>
  former === undefined
    ? tallies.create({ environmentId, id: ALL_TARGETS, count }).write
    : tallies.revise(former, { count }).write;

/** The write of a target's flags, which removes its row if there are none. */
export function writeFlagIds(
  environmentId: string,
  id: string,
  former: TargetRecord | undefined,
  flagIds: readonly string[],
): Write {
  if (former === undefined) return targets.create({ environmentId, id, flagIds: [...flagIds] }).write;
  return flagIds.length === 0 ? targets.remove(former) : targets.revise(former, { flagIds: [...flagIds] }).write;
}

/** The ids of all targets of a flag, sorted. */
export async function readMemberIds(environmentId: string, flagId: string): Promise<string[]> {
  return listIds(await flagMembers.list('primary', { environmentId, flagId }).toArray());
}
