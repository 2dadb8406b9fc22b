import type { Failure } from '../../kernel/errors.ts';
import { clock } from '../../kernel/clock.ts';
import { dueOn } from '../../kernel/storage/due.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { Write } from '../../kernel/storage/write.ts';
import { unguarded } from '../../kernel/storage/write.ts';
import { listHolders, loadRoles, type OrganizationRoles } from '../../roles/public.ts';
import { removalOfGrant } from '../assignment/entity.ts';
import { removalOfResource, type ResourceRecord } from './entity.ts';
import { hasDependents, organizationResourceIsFixed, typeUpdateInProgress } from './errors.ts';
import type { FoundResource } from './find.ts';
import { anyChildren } from './list.ts';
import { removals, subtreeRemoval } from './removal.ts';

/** Every error that a deletion may meet. */
export const deletionErrors = [hasDependents, organizationResourceIsFixed, typeUpdateInProgress] as const;

/** Writes of a subtree that go in the transaction of its root. */
const MOST_WRITES = 75;
/** Longer than any call that read the resource before it was gone can take to write. */
const SECOND_SWEEP_MS = 10 * 60_000;

/**
 * Stages the deletion of a resource, or of it with all that is below it and all roles on it. A small subtree goes in the same
 * transaction. Of a large one the root goes, which ends all that is granted below it, and a worker removes the rest.
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
  const below = isCascade ? await subtreeOf(record, roles) : [];
  unit.stage(removalOfResource(record));
  if (below === undefined) subtreeRemoval.stage(unit, environmentId, { resourceId: record.id }, record.owner);
  else unit.stage(below);
  const removal = { environmentId, id: record.id, owner: ownerKey('organization', organizationId) };
  unit.stage(unguarded(removals.create({ ...removal, ...dueOn(record.id, clock.now() + SECOND_SWEEP_MS) }).write));
}

/** The roles that can be assigned on a resource. */
const rolesOn = ({ typeSlug }: ResourceRecord, { roles }: OrganizationRoles) =>
  [...roles.values()].filter(({ resourceType }) => resourceType === typeSlug);

/** Reports whether a resource has children or roles assigned on it: strongly consistent Queries, in parallel. */
async function hasAnyDependents(record: ResourceRecord, roles: OrganizationRoles): Promise<boolean> {
  const { environmentId, organizationId, id: resourceId } = record;
  const found = await Promise.all([
    anyChildren(environmentId, resourceId, 1),
    ...rolesOn(record, roles).flatMap(({ id: roleId }) =>
      (['membership', 'group'] as const).map((kind) =>
        listHolders({ environmentId, organizationId, roleId, kind, resourceId, limit: 1 }),
      ),
    ),
  ]);
  return found.some(({ length }) => length > 0);
}

/** The writes that remove all below a resource and the members' roles on all of it; undefined when they are too many. */
async function subtreeOf(root: ResourceRecord, roles: OrganizationRoles): Promise<Write[] | undefined> {
  const writes: Write[] = [];
  let level: ResourceRecord[] = [root];
  while (level.length > 0) {
    const [kids, held] = await Promise.all([
      Promise.all(level.map(({ environmentId, id }) => anyChildren(environmentId, id, MOST_WRITES))),
      Promise.all(level.map((record) => grantsOn(record, roles))),
    ]);
    writes.push(...kids.flat().flatMap(removalOfResource), ...held.flat());
    if (writes.length > MOST_WRITES) return undefined;
    level = kids.flat();
  }
  return writes;
}

/** The writes that remove the roles of memberships on a resource, as far as they fit into a transaction. */
async function grantsOn(record: ResourceRecord, roles: OrganizationRoles): Promise<Write[]> {
  const { environmentId, organizationId, id: resourceId } = record;
  const lists = await Promise.all(
    rolesOn(record, roles).map(({ id: roleId }) =>
      listHolders({ environmentId, organizationId, roleId, kind: 'membership', resourceId, limit: MOST_WRITES }),
    ),
  );
  return lists.flat().flatMap(({ roleId, holderId }) => {
    return removalOfGrant({ environmentId, organizationId, roleId, resourceId, membershipId: holderId });
  });
}
