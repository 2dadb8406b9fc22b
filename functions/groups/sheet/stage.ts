import { systemActor } from '../../kernel/authentication/caller.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { Write } from '../../kernel/storage/write.ts';
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
} from '../../role-holders/public.ts';
import { groupChange } from './work.ts';

/** Maximum roles of a group, on all resources together. */
export const MAX_GRANTS = 100;

/** Maximum rows of role holders in the transaction of a group's sheet. */
const HOLDERS_AT_ONCE = 60;

/** The current sheet of a group, and its roles. */
export interface FoundSheet {
  sheet: GroupSheetRecord | undefined;
  grants: readonly GroupGrant[];
}

/** The sheet of a group: one strongly consistent GetItem. */
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
 * Stages the complete roles of a group: they take effect with the commit. The rows of its holders are added with the
 * sheet or before it and removed with it or after it, so that they are always a superset of it. A worker applies the
 * change to the members' `roles`.
 * @param former As read in this call.
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
  // The sheet has changed then: the call conflicts, and finds the holders recorded when it is applied again.
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

/** Records a group as holder of more roles than fit into one transaction, before it has them. */
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

/** The writes that remove all roles of a group, for its deletion, and the places whose holders are removed later. */
export function endOfGrants(group: GroupRecord, { sheet, grants }: FoundSheet): { writes: Write[]; left: RolePlace[] } {
  if (sheet === undefined) return { writes: [sameSheet(group, sheet)], left: [] };
  const places = [...grants, ...((sheet.coming ?? []) as RolePlace[])];
  const [now, later] = [places.slice(0, HOLDERS_AT_ONCE), places.slice(HOLDERS_AT_ONCE)];
  return {
    writes: [removalOfSheet(sheet), ...now.map((place) => removeHolder(holderOf(group, place)))],
    left: later.map(({ roleId, resourceId }) => ({ roleId, resourceId })),
  };
}
