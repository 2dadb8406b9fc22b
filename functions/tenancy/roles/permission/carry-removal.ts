import { setTimeout as delay } from 'node:timers/promises';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Task } from '../../../kernel/storage/work.ts';
import { findOrganization } from '../../organizations/public.ts';
import { type Model, type Role, type RoleFields, toRole } from '../model/compiled.ts';
import { modelRows } from '../model/entity.ts';
import { loadModel } from '../model/load.ts';
import { stageModel } from '../model/stage.ts';
import { organizationRoles, organizationRolesOfType } from '../organization-role/entity.ts';
import { loadRoles } from '../organization-role/load.ts';
import { stageOrder } from '../organization-role/stage.ts';
import { organizationRolePayload, rolePayload } from '../role/schema.ts';
import { roleDifference } from '../role/stage.ts';
import { type RemovedPermission, ROLES_AT_ONCE } from './removal.ts';

/**
 * Number of organization roles read in one step, which take at most some 500 KB and so are never cut by DynamoDB's limit of
 * a megabyte.
 */
const READ_AT_ONCE = 50;

/** Time in ms for the index to show the changes that were made before the deletion. */
const INDEX_LAG_MS = 1_000;

/** The progress of the search: the type whose roles are read, and the last role that was read. */
interface Place {
  type: string;
  after?: string | undefined;
}

/**
 * Removes deleted permissions from the environment roles that still name them, and then from those of organizations, type by
 * type. A role that no longer names one gets no event, so a step may run again.
 * @returns the progress; undefined after the last type
 */
export async function carryPermissionRemoval({
  environmentId,
  data,
  progress,
}: Task<RemovedPermission | { permissions: readonly RemovedPermission[] }>): Promise<string | undefined> {
  const permissions = 'permissions' in data ? data.permissions : [data];
  if (progress === undefined) {
    for (const permission of permissions) await takeFromEnvironmentRoles(environmentId, permission);
    await delay(INDEX_LAG_MS);
  }
  const { types } = await loadModel(environmentId);
  // The slugs are sorted, so that their order is the same in each step, also after a change of the types.
  const slugs = [...types.keys()].toSorted();
  const { type, after } = progress === undefined ? firstOf(slugs) : (JSON.parse(progress) as Place);
  const window = { scan: 'asc', limit: READ_AT_ONCE, ...(after === undefined ? {} : { after }) } as const;
  const { records: found, reached } = await organizationRolesOfType(environmentId, type, window);
  for (const permission of permissions) {
    const naming = found.filter((row) => isNaming(row, permission));
    for (const organizationId of new Set(naming.map((row) => row.organizationId))) {
      await takeFromOrganizationRoles(environmentId, organizationId, permission);
    }
  }
  if (reached !== undefined) return JSON.stringify({ type, after: reached });
  const next = slugs.find((slug) => slug > type);
  return next === undefined ? undefined : JSON.stringify({ type: next });
}

const firstOf = ([type = '']: readonly string[]): Place => ({ type });

const isNaming = ({ permissionIds }: Pick<RoleFields, 'permissionIds'>, { id }: RemovedPermission): boolean =>
  ((permissionIds ?? []) as string[]).includes(id);

/** The role before it lost the permission, as far as the model still has its other permissions. */
const formerRole = (row: RoleFields, model: Model, permission: RemovedPermission, organizationId?: string): Role =>
  toRole(row, new Map([...model.permissions, [permission.id, permission]]), organizationId);

/**
 * Reports whether a row names the permission and the role has no other with the same slug. A role that has got a new
 * permission with this slug in the meantime looks the same as before, so it gets no event.
 */
const isToChange = (row: RoleFields, role: Role | undefined, permission: RemovedPermission): role is Role =>
  isNaming(row, permission) && role?.permissions.includes(permission.slug) === false;

const idsWithout = ({ permissionIds }: RoleFields, { id }: RemovedPermission): string[] =>
  ((permissionIds ?? []) as string[]).filter((each) => each !== id);

/** Removes the permission from all environment roles, some in each transaction. */
async function takeFromEnvironmentRoles(environmentId: string, permission: RemovedPermission): Promise<void> {
  for (let isDone = false; !isDone;) {
    await applyWork(environmentId, systemActor, async (unit) => {
      const model = await loadModel(environmentId);
      const rows = [...model.rows.values()].filter((row) => isToChange(row, model.roles.get(row.id), permission));
      isDone = rows.length <= ROLES_AT_ONCE;
      if (rows.length === 0) return;
      const writes = rows.slice(0, ROLES_AT_ONCE).map((row) => {
        const { record, write } = modelRows.revise(row, { permissionIds: idsWithout(row, permission) });
        const next = toRole(record, model.permissions);
        const previousAttributes = roleDifference(formerRole(row, model, permission), next);
        unit.emit('role.updated', rolePayload(next), { previousAttributes });
        return write;
      });
      stageModel(unit, environmentId, model, writes);
    });
  }
}

/**
 * Removes the permission from all roles of an organization, some in each transaction. It has no effect for a deleted
 * organization.
 */
async function takeFromOrganizationRoles(
  environmentId: string,
  organizationId: string,
  permission: RemovedPermission,
): Promise<void> {
  for (let isDone = false; !isDone;) {
    await applyWork(environmentId, systemActor, async (unit) => {
      const [organization, roles] = await awaitAll([
        findOrganization(environmentId, organizationId),
        loadRoles(environmentId, organizationId),
      ]);
      const rows = roles.own.records.filter((row) => isToChange(row, roles.roles.get(row.id), permission));
      isDone = organization === undefined || rows.length <= ROLES_AT_ONCE;
      if (organization === undefined || rows.length === 0) return;
      for (const row of rows.slice(0, ROLES_AT_ONCE)) {
        const { record, write } = organizationRoles.revise(row, { permissionIds: idsWithout(row, permission) });
        const next = toRole(record, roles.model.permissions, organizationId);
        const previousAttributes = roleDifference(formerRole(row, roles.model, permission, organizationId), next);
        unit.stage(write);
        unit.emit('organization_role.updated', organizationRolePayload(next), { organizationId, previousAttributes });
      }
      stageOrder(unit, { environmentId, organizationId }, roles);
    });
  }
}
