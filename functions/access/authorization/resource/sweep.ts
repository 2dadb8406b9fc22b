import { findGroupById, findSheet, stageGrants } from '../../../tenancy/groups/public.ts';
import { finishTypeRemoval, isUsableType, loadModel, loadRoles, typeRemoval } from '../../../tenancy/roles/public.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { forEachDue } from '../../../kernel/storage/due.ts';
import { grants, removalOfGrant } from '../assignment/entity.ts';
import { places, removalOfResource, resources } from './entity.ts';
import { anyChildren } from './list.ts';
import { groupsOn } from './holders.ts';
import { type DeletedResource, type RemovalRecord, removals, subtreeRemoval } from './removal.ts';

/** Maximum number of children removed in one transaction, with three rows each. */
const CHILDREN = 25;
/** Maximum number of grants removed in one transaction, with two rows each. */
const GRANTS = 40;
/** Maximum number of transactions in one step of the work. */
const STEP = 200;

/** The number of transactions that a step may still make. */
interface Allowance {
  transactions: number;
}

/** Removes the subtree of a deleted resource, deepest first, so that an interrupted run can be started again. */
export const removeSubtree = subtreeRemoval.by(async ({ environmentId, data }) => {
  const isDone = await removeBelow(environmentId, data, { transactions: STEP });
  return isDone ? undefined : 'more';
});

/**
 * Removes the resources of a type that is being removed, and then the type. No resource is created during that. The second
 * run finds those that the index shows late; it is skipped if a new type has the slug.
 */
export const removeType = typeRemoval.by(async ({ environmentId, data: { slug: typeSlug } }) => {
  if (isUsableType(await loadModel(environmentId), typeSlug)) return undefined;
  const found = await places.list('byType', { environmentId, typeSlug }).take(CHILDREN);
  for (const place of found) if (!(await removeBelow(environmentId, place, { transactions: STEP }))) return 'some';
  await applyWork(environmentId, systemActor, async (unit) => {
    const current = await resources.getMany(
      environmentId,
      found.map(({ id }) => id),
    );
    unit.stage(current.flatMap(removalOfResource));
  });
  if (found.length > 0) return 'some';
  await finishTypeRemoval(environmentId, typeSlug);
  return undefined;
});

/**
 * Removes all resources below a resource and all roles on it.
 * @returns false if the allowance was used up first
 */
async function removeBelow(environmentId: string, resource: DeletedResource, allowance: Allowance): Promise<boolean> {
  if (!(await removeGrants(environmentId, resource.id, allowance))) return false;
  await takeFromGroups(environmentId, resource);
  for (;;) {
    const found = await anyChildren(environmentId, resource.id, CHILDREN);
    if (found.length === 0) return true;
    for (const child of found) if (!(await removeBelow(environmentId, child, allowance))) return false;
    if (allowance.transactions-- <= 0) return false;
    const ids = new Set(found.map(({ id }) => id));
    await applyWork(environmentId, systemActor, async (unit) => {
      // The children are read again: a renamed one has another version, and a moved one is kept.
      const current = await anyChildren(environmentId, resource.id, CHILDREN);
      unit.stage(current.filter(({ id }) => ids.has(id)).flatMap(removalOfResource));
    });
  }
}

/**
 * Removes the grants on a resource that the index shows. Grants that it shows later have no effect, and are removed by a
 * later run.
 */
async function removeGrants(environmentId: string, resourceId: string, allowance: Allowance): Promise<boolean> {
  let after: string | undefined;
  do {
    const window = { scan: 'asc', limit: GRANTS, ...(after === undefined ? {} : { after }) } as const;
    const { records, reached } = await grants.list('byResource', { environmentId, resourceId }).toPage(window);
    if (records.length > 0 && allowance.transactions-- <= 0) return false;
    await applyWork(environmentId, systemActor, async (unit) => unit.stage(records.flatMap(removalOfGrant)));
    after = reached;
  } while (after !== undefined);
  return true;
}

/** Removes the roles on a resource from the groups that have them. */
async function takeFromGroups(environmentId: string, resource: DeletedResource): Promise<void> {
  const roles = await loadRoles(environmentId, resource.organizationId);
  const held = await groupsOn({ environmentId, ...resource }, roles);
  for (const groupId of new Set(held.map((each) => each.groupId))) {
    await applyWork(environmentId, systemActor, async (unit) => {
      const found = await findGroupById(environmentId, groupId);
      if (found === undefined) return;
      const sheet = await findSheet(found.group);
      const left = sheet.grants.filter(({ resourceId }) => resourceId !== resource.id);
      await stageGrants(unit, found.group, sheet, left);
    });
  }
}

/** Repeats the removal for deleted resources, to find late writes. A schedule runs it for the whole stage. */
export const sweepAfterDeletions = (): Promise<void> => forEachDue(removals.entity(), sweepAfter);

async function sweepAfter(removal: RemovalRecord): Promise<void> {
  const { environmentId, id, organizationId, typeSlug } = removal;
  const resource = { id, organizationId, typeSlug };
  const isDone = await removeBelow(environmentId, resource, { transactions: STEP });
  await applyWork(environmentId, systemActor, async (unit) => {
    const planned = await removals.get(environmentId, id);
    if (planned === undefined) return;
    unit.stage(removals.remove(planned));
    if (!isDone) subtreeRemoval.stage(unit, environmentId, resource, planned.owner);
  });
}
