import type { Actor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord } from '../../../kernel/storage/record.ts';
import { findHolder } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import type { Attributes } from '../scim/resource.ts';
import { type DirectoryGroupRecord, directoryGroups, uniqueGroupName } from './entity.ts';
import { stageNewGroup } from './stage.ts';

const LIFETIME_SECONDS = 3_600;

/**
 * The creation of a group whose members need several transactions. Its id is the digest of the request, and it lasts until
 * the last member is added, for at most an hour. A call that failed before is found by it when the provider repeats it.
 */
const GroupCreationEntity = entity(
  ownedRecord('directory-group-creation', {
    ...expiringAttributes,
    groupId: { type: 'string', required: true },
  }),
);

const creations = collection(GroupCreationEntity, 'internal');

/** The id of a creation: equal requests to a directory have the same. */
const computeId = ({ id }: DirectoryRecord, attributes: Attributes, members: readonly string[]): string =>
  sha256Hex(JSON.stringify([id, attributes, members]));

/** The group that an earlier call has created without adding all members. A provider may have deleted it since. */
async function findUnfinished(
  directory: DirectoryRecord,
  creation: RecordOf<typeof GroupCreationEntity> | undefined,
): Promise<DirectoryGroupRecord | undefined> {
  if (creation === undefined || (creation.expiresAt ?? 0) <= clock.seconds()) return undefined;
  return directoryGroups.get(directory.environmentId, creation.groupId);
}

/** A group that is committed, and whose members are still to be added. */
export interface StartedGroup {
  groupId: string;
  /** Stages that the creation is finished, in the transaction that adds the last members. */
  stageEnd: (unit: Pick<Unit, 'stage'>) => void;
}

/**
 * Commits a new group before its members, or continues the group of an equal request that was interrupted, also by one at
 * the same time. It takes three serial round trips.
 * @param taken rejects the call if another group of the directory has the name
 */
export async function startGroup(
  directory: DirectoryRecord,
  {
    attributes,
    members,
    actor,
    taken,
  }: { attributes: Attributes; members: readonly string[]; actor: Actor; taken: Failure },
): Promise<StartedGroup> {
  const { environmentId } = directory;
  const id = computeId(directory, attributes, members);
  const groupId = await applyWork(environmentId, actor, async (unit) => {
    const former = await creations.get(environmentId, id);
    const unfinished = await findUnfinished(directory, former);
    if (unfinished !== undefined) return unfinished.id;
    // Without this read, an equal request at the same time would be rejected instead of continuing.
    const name = uniqueGroupName({ environmentId, directoryId: directory.id }, String(attributes.displayName));
    if ((await findHolder(name)) !== undefined) throw taken;
    const group = stageNewGroup(unit, directory, attributes);
    const fields = { groupId: group.id, expiresAt: clock.seconds() + LIFETIME_SECONDS };
    const { write } =
      former === undefined
        ? creations.create({ environmentId, id, owner: group.owner, ...fields })
        : creations.revise(former, fields);
    unit.stage(write);
    return group.id;
  });
  return { groupId, stageEnd: (unit) => unit.stage(creations.removeByKey({ environmentId, id })) };
}
