import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { presenceOfGroup, type GroupRecord } from '../group/entity.ts';
import {
  grantsIn,
  type GroupGrant,
  getSheet,
  type GroupKey,
  removalOfSheet,
  sameSheet,
  writeSheet,
  type GroupSheetRecord,
  recordHolder,
  removeHolder,
  type RoleHolder,
  rolesAtOrganization,
  type RolePlace,
} from '../../modules/role-holders/public.ts';
import { groupChange } from './work.ts';

/** Maximum number of roles of a group, on all resources together. */
export const MAX_GRANTS = 100;

/** Maximum number of rows of role holders in the transaction of a group's sheet. */
const HOLDERS_AT_ONCE = 60;

/** The current sheet of a group, which lists its roles. */
export interface FoundSheet {
  sheet: GroupSheetRecord | undefined;
  grants: readonly GroupGrant[];
}

/** The sheet with the roles of a group, by one strongly consistent GetItem. */
export async function findSheet({ environmentId, id }: Pick<GroupRecord, 'environmentId' | 'id'>): Promise<FoundSheet> {
  const sheet = await getSheet(environmentId, id);
  return { sheet, grants: grantsIn(sheet) };
}

const isAmong = (places: readonly RolePlace[], { roleId, resourceId }: RolePlace): boolean =>
  places.some((place) => place.roleId === roleId && place.resourceId === resourceId);

const holderOf = ({ environmentId, id, organizationId }: GroupKey, place: RolePlace): RoleHolder => ({
  environmentId,
  organizationId,
  roleId: place.roleId,
  resourceId: place.resourceId,
  kind: 'group',
  holderId: id,
});

const recordHolders = (group: GroupRecord, places: readonly RolePlace[]): Write[] =>
  places.map((place) => recordHolder(holderOf(group, place)));

/**
 * Stages the complete list of a group's roles, which takes effect with the commit. The rows of role holders are added with
 * the sheet or before it and removed with it or after it, so that they always contain at least the roles of the sheet. A
 * worker applies the change to the members' `roles`.
 * @param former the sheet as read in this call
 */
export async function stageGrants(
  unit: Pick<Unit, 'stage'>,
  group: GroupRecord,
  former: FoundSheet,
  grants: readonly GroupGrant[],
): Promise<void> {
  const { environmentId, id: groupId, organizationId } = group;
  const coming = (former.sheet?.coming ?? []) as RolePlace[];
  const added = grants.filter((grant) => !isAmong(former.grants, grant));
  const removed = [...former.grants, ...coming].filter((place) => !isAmong(grants, place));
  if (added.length === 0 && removed.length === 0) return;
  const unrecorded = added.filter((grant) => !isAmong(coming, grant));
  // The sheet may change before this transaction. Then the call conflicts and finds these rows when it is applied again.
  if (unrecorded.length > HOLDERS_AT_ONCE) await announce(group, unrecorded);
  const recorded = unrecorded.slice(0, HOLDERS_AT_ONCE);
  const leaving = removed.slice(0, HOLDERS_AT_ONCE - recorded.length);
  const left = removed.slice(leaving.length).map(({ roleId, resourceId }) => ({ roleId, resourceId }));
  unit.stage([
    presenceOfGroup(group),
    writeSheet(group, former.sheet, { grants: grants.toSorted((one, other) => (one.id < other.id ? -1 : 1)) }),
    ...recordHolders(group, recorded),
    ...leaving.map((place) => removeHolder(holderOf(group, place))),
  ]);
  const taken = former.grants.filter((grant) => !isAmong(grants, grant));
  const isAtOrganization = rolesAtOrganization([...added, ...taken]).length > 0;
  if (left.length === 0 && !isAtOrganization) return;
  groupChange.stage(
    unit,
    environmentId,
    { groupId, organizationId, left, isAtOrganization },
    ownerKey('organization', organizationId),
  );
}

/** Adds the rows of a group as role holder before the group gets the roles, if they are too many for one transaction. */
async function announce(group: GroupRecord, added: readonly GroupGrant[]): Promise<void> {
  for (let at = 0; at < added.length; at += HOLDERS_AT_ONCE) {
    const slice = added.slice(at, at + HOLDERS_AT_ONCE).map(({ roleId, resourceId }) => ({ roleId, resourceId }));
    await applyWork(group.environmentId, systemActor, async (unit) => {
      const { sheet, grants } = await findSheet(group);
      const announced = (sheet?.coming ?? []) as RolePlace[];
      const coming = [...announced, ...slice.filter((place) => !isAmong(announced, place))];
      unit.stage([
        presenceOfGroup(group),
        writeSheet(group, sheet, { grants, coming }),
        ...recordHolders(group, slice),
      ]);
    });
  }
}

/**
 * Removes rows of holders that the group's sheet no longer needs, in transactions that require an unchanged sheet. May
 * run again.
 */
export async function removeHolders(group: GroupKey, left: readonly RolePlace[]): Promise<void> {
  for (let at = 0; at < left.length; at += HOLDERS_AT_ONCE) {
    const slice = left.slice(at, at + HOLDERS_AT_ONCE);
    await applyWork(group.environmentId, systemActor, async (unit) => {
      const { sheet, grants } = await findSheet(group);
      const needed = [...grants, ...((sheet?.coming ?? []) as RolePlace[])];
      const unneeded = slice.filter((place) => !isAmong(needed, place));
      if (unneeded.length === 0) return;
      unit.stage([sameSheet(group, sheet), ...unneeded.map((place) => removeHolder(holderOf(group, place)))]);
    });
  }
}

/** The writes that remove all roles of a group when it is deleted, and the role holder rows that are removed later. */
export function endOfGrants(group: GroupRecord, { sheet, grants }: FoundSheet): { writes: Write[]; left: RolePlace[] } {
  if (sheet === undefined) return { writes: [sameSheet(group, sheet)], left: [] };
  const places = [...grants, ...((sheet.coming ?? []) as RolePlace[])];
  const [now, later] = [places.slice(0, HOLDERS_AT_ONCE), places.slice(HOLDERS_AT_ONCE)];
  return {
    writes: [removalOfSheet(sheet), ...now.map((place) => removeHolder(holderOf(group, place)))],
    left: later.map(({ roleId, resourceId }) => ({ roleId, resourceId })),
  };
}
