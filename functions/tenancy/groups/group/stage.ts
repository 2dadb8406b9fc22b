import { newId } from '../../../kernel/ids.ts';
import { changedMembers } from '../../../kernel/events/previous.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { indexText } from '../../../kernel/storage/search.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { type GroupRecord, groups } from './entity.ts';
import { searchKind } from './find.ts';
import { presentGroup } from './schema.ts';

/** The data of a new group. */
export interface NewGroup {
  environmentId: string;
  organizationId: string;
  name: string;
  description?: string | undefined;
  /** The original id and times of an imported group. */
  id?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
}

/**
 * Stages a new group with `group.created`. The caller has checked that its organization exists. @returns the new group
 */
export function stageGroup(unit: Unit<'group.created'>, fields: NewGroup): GroupRecord {
  const { id = newId('group'), createdAt, updatedAt, ...members } = fields;
  const owner = ownerKey('organization', fields.organizationId);
  const { record, write } = groups.create({ ...members, id, owner }, createdAt, updatedAt);
  unit.stage([write, ...indexName(record, '', record.name)]);
  unit.emit('group.created', presentGroup(record), { organizationId: record.organizationId });
  return record;
}

/**
 * Stages a group's new state with `group.updated`. It stages nothing if nothing changes.
 * @returns the new state of the group
 */
export function stageGroupChange(
  unit: Unit<'group.updated'>,
  former: GroupRecord,
  changes: { name: string; description: string | undefined },
): GroupRecord {
  const { record, write } = groups.revise(former, changes);
  const previousAttributes = changedMembers(presentGroup(former), presentGroup(record));
  if (Object.keys(previousAttributes).length === 0) return former;
  unit.stage([write, ...indexName(record, former.name, record.name)]);
  unit.emit('group.updated', presentGroup(record), { organizationId: record.organizationId, previousAttributes });
  return record;
}

/**
 * The writes that update the search words of a group's name; if `next` is empty, only the former name's words are
 * removed.
 */
export const indexName = (
  { environmentId, id, organizationId }: Pick<GroupRecord, 'environmentId' | 'id' | 'organizationId'>,
  former: string,
  next: string,
): Write[] =>
  indexText(
    { environmentId, kind: searchKind(organizationId), id, owner: ownerKey('organization', organizationId) },
    former,
    next,
  );
