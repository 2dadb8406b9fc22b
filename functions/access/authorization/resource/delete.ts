import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { clock } from '../../../kernel/clock.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { unguarded } from '../../../kernel/storage/write.ts';
import { loadRoles, type OrganizationRoles } from '../../../tenancy/roles/public.ts';
import { listHolders } from '../../../tenancy/modules/role-holders/public.ts';
import { removalOfGrant } from '../assignment/entity.ts';
import { removalOfResource, type ResourceRecord } from './entity.ts';
import { hasDependents, organizationResourceIsFixed, typeUpdateInProgress } from './errors.ts';
import type { FoundResource } from './find.ts';
import { anyChildren } from './list.ts';
import { removals, subtreeRemoval } from './removal.ts';
import { groupsOn, rolesOn } from './holders.ts';

/** The errors of every deletion. */
const deletionErrors = [hasDependents, organizationResourceIsFixed, typeUpdateInProgress] as const;

/** Maximum number of writes for a subtree in the transaction of its root. */
const MOST_WRITES = 75;
/** Time in ms until the second sweep: longer than a call that read the resource before its deletion can still write. */
const SECOND_SWEEP_MS = 10 * 60_000;

/**
 * Stages the deletion of a resource, or of a resource with its subtree and all roles on it. A small subtree is removed in
 * the same transaction. If it is large, only the root is removed, which ends all access below it, and a worker removes the
 * rest.
 */
export async function stageDeletion(
  unit: Pick<Unit, 'stage'>,
  { view, record }: FoundResource,
  isCascade: boolean,
  fail: (error: (typeof deletionErrors)[number]) => Failure,
): Promise<void> {
  if (record === undefined) throw fail(organizationResourceIsFixed);
  const { environmentId, organizationId } = view;
  const roles = await loadRoles(environmentId, organizationId);
  if (roles.model.types.get(view.typeSlug)?.isLeaving === true) throw fail(typeUpdateInProgress);
  if (!isCascade && (await hasAnyDependents(record, roles))) throw fail(hasDependents);
  const below = isCascade ? await readSubtree(record, roles) : [];
  unit.stage(removalOfResource(record));
  const { id, typeSlug } = record;
  const owner = ownerKey('organization', organizationId);
  if (below !== undefined) unit.stage(below);
  // It also removes what was written below the resource or on it since that was read.
  subtreeRemoval.stage(unit, environmentId, { id, organizationId, typeSlug }, owner);
  const removal = { environmentId, id, organizationId, typeSlug, owner };
  unit.stage(unguarded(removals.create({ ...removal, ...dueOn(record.id, clock.now() + SECOND_SWEEP_MS) }).write));
}

/** Reports whether a resource has children or roles assigned on it, by strongly consistent Queries in parallel. */
async function hasAnyDependents(record: ResourceRecord, roles: OrganizationRoles): Promise<boolean> {
  const { environmentId, organizationId, id: resourceId } = record;
  const [kids, groups, ...members] = await awaitAll([
    anyChildren(environmentId, resourceId, 1),
    groupsOn(record, roles),
    ...rolesOn(record, roles).map(({ id: roleId }) =>
      listHolders({ environmentId, organizationId, roleId, kind: 'membership', resourceId, limit: 1 }),
    ),
  ]);
  return kids.length + groups.length + members.flatMap(({ records }) => records).length > 0;
}

/**
 * The writes that remove a subtree and the members' roles on it. Returns undefined if there are too many, or if a group has
 * a role there, which is removed from the group in a separate transaction.
 */
async function readSubtree(root: ResourceRecord, roles: OrganizationRoles): Promise<Write[] | undefined> {
  const writes: Write[] = [];
  let level: ResourceRecord[] = [root];
  while (level.length > 0) {
    const [kids, held, groups] = await awaitAll([
      awaitAll(level.map(({ environmentId, id }) => anyChildren(environmentId, id, MOST_WRITES))),
      awaitAll(level.map((record) => grantsOn(record, roles))),
      awaitAll(level.map((record) => groupsOn(record, roles))),
    ]);
    if (groups.flat().length > 0) return undefined;
    writes.push(...kids.flat().flatMap(removalOfResource), ...held.flat());
    if (writes.length > MOST_WRITES) return undefined;
    level = kids.flat();
  }
  return writes;
}

/** The writes that remove the roles of memberships on a resource, if they fit into a transaction. */
async function grantsOn(record: ResourceRecord, roles: OrganizationRoles): Promise<Write[]> {
  const { environmentId, organizationId, id: resourceId } = record;
  const lists = await awaitAll(
    rolesOn(record, roles).map(({ id: roleId }) =>
      listHolders({ environmentId, organizationId, roleId, kind: 'membership', resourceId, limit: MOST_WRITES }),
    ),
  );
  return lists
    .flatMap(({ records }) => records)
    .flatMap(({ roleId, holderId }) => {
      return removalOfGrant({ environmentId, organizationId, roleId, resourceId, membershipId: holderId });
    });
}
