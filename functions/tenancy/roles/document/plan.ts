import { isDeepStrictEqual } from 'node:util';

import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import type { Model, Permission, Role } from '../model/compiled.ts';
import { modelRows, ORDER_ID, typeRowId } from '../model/entity.ts';
import { typeRemoval } from '../model/removal.ts';
import { newPermission } from '../permission/operations.ts';
import { type RemovedPermission, stagePermissionRemoval } from '../permission/removal.ts';
import { presentPermission } from '../permission/schema.ts';
import { changedRole, newRole, reviseRole, roleDifference } from '../role/stage.ts';
import { stageRoleRemoval } from '../role/removal.ts';
import { rolePayload } from '../role/schema.ts';
import type { ModelChange, ModelDocument } from './schema.ts';

/** The events of changes of a model. */
export type ModelEvent =
  | 'permission.created'
  | 'permission.updated'
  | 'permission.deleted'
  | 'role.created'
  | 'role.updated'
  | 'role.deleted';

/** One change of a model, which can be made after the changes before it. */
export interface Step {
  change: ModelChange;
  /** The maximum number of rows that it writes: the changed one, an event, and one for background work. */
  rows: number;
  /** The permission that it deletes: the caller stages the work that removes it from the rows of roles. */
  removed?: RemovedPermission;
  /** Returns the writes of the change and stages its events. */
  stage: (unit: Unit<ModelEvent>) => Write[];
}

/** Slugs of the roles whose permissions change, with the permissions before and after. */
export interface RoleEffect {
  role: Role;
  gained: string[];
  lost: string[];
}

/**
 * The changes from a model to the state in a document. Additions come first, so that the model is valid after each change,
 * and a plan that stops half-way is simply made again.
 */
export function planSteps(environmentId: string, model: Model, document: ModelDocument): Step[] {
  const permissions = new Map(model.permissionsBySlug);
  return [
    ...typeSteps(environmentId, model, document),
    ...permissionSteps(environmentId, model, document, permissions),
    ...roleSteps(environmentId, model, document, permissions),
    ...orderSteps(environmentId, model, document),
    ...roleRemovals(environmentId, model, document),
    ...permissionRemovals(model, document),
    ...typeRemovals(environmentId, model, document),
  ];
}

const step = (action: ModelChange['action'], kind: ModelChange['kind'], slug: string, stage: Step['stage']): Step => ({
  change: { action, kind, slug },
  rows: action === 'delete' ? 3 : 2,
  stage,
});

function typeSteps(environmentId: string, model: Model, { resource_types: types }: ModelDocument): Step[] {
  return types.flatMap(({ slug, name, description, parents }) => {
    const former = model.types.get(slug);
    const row = model.rows.get(typeRowId(slug));
    const fields = { name, description: description ?? undefined, parentTypes: [...new Set(parents)] };
    if (former === undefined || row === undefined) {
      const identity = { kind: 'type' as const, environmentId, id: typeRowId(slug), slug };
      return [step('create', 'resource_type', slug, () => [modelRows.create({ ...identity, ...fields }).write])];
    }
    const current = { name: former.name, description: former.description, parentTypes: [...former.parents] };
    if (isDeepStrictEqual(current, fields)) return [];
    return [step('update', 'resource_type', slug, () => [modelRows.revise(row, fields).write])];
  });
}

function permissionSteps(
  environmentId: string,
  model: Model,
  document: ModelDocument,
  permissions: Map<string, Permission>,
): Step[] {
  return document.permissions.flatMap(({ slug, name, description, resource_type_slug: resourceType }) => {
    const former = model.permissionsBySlug.get(slug);
    if (former === undefined) {
      const { permission, write } = newPermission(environmentId, { slug, name, description, resourceType });
      permissions.set(slug, permission);
      return [
        step('create', 'permission', slug, (unit) => {
          unit.emit('permission.created', presentPermission(permission));
          return [write];
        }),
      ];
    }
    const row = model.rows.get(former.id);
    if (row === undefined || (former.name === name && (former.description ?? null) === description)) return [];
    return [
      step('update', 'permission', slug, (unit) => {
        const { record, write } = modelRows.revise(row, { name, description: description ?? undefined });
        const next = { ...former, name, description: description ?? undefined, updatedAt: record.updatedAt };
        unit.emit('permission.updated', presentPermission(next), {
          previousAttributes: {
            ...(former.name === name ? {} : { name: former.name }),
            ...((former.description ?? null) === description ? {} : { description: former.description ?? null }),
          },
        });
        return [write];
      }),
    ];
  });
}

function roleSteps(
  environmentId: string,
  model: Model,
  document: ModelDocument,
  permissions: ReadonlyMap<string, Permission>,
): Step[] {
  return document.roles.flatMap(({ slug, name, description, resource_type_slug: resourceType, permissions: slugs }) => {
    const held = [...new Set(slugs)].flatMap((each) => permissions.get(each) ?? []);
    const former = model.rolesBySlug.get(slug);
    if (former === undefined) {
      return [
        step('create', 'role', slug, (unit) => {
          const { role, write } = newRole(environmentId, { slug, name, description, resourceType, permissions: held });
          unit.emit('role.created', rolePayload(role));
          return [write];
        }),
      ];
    }
    const next = changedRole(former, { name, description, permissions: held });
    if (Object.keys(roleDifference(former, next)).length === 0) return [];
    return [
      step('update', 'role', slug, (unit) => {
        const revised = reviseRole(model, former, next);
        if (revised === undefined) return [];
        const previousAttributes = roleDifference(former, revised.role);
        unit.emit('role.updated', rolePayload(revised.role), { previousAttributes });
        return [revised.write];
      }),
    ];
  });
}

/** The order and the default role come after all roles exist, because they refer to their ids. */
function orderSteps(environmentId: string, model: Model, { roles, default_role: slug }: ModelDocument): Step[] {
  const slugs = roles.map((role) => role.slug);
  const kept = new Set(slugs);
  const current = [...model.roles.values()].map((role) => role.slug).filter((each) => kept.has(each));
  const created = slugs.filter((each) => !model.rolesBySlug.has(each));
  // New roles are at the end of the order even if it does not name them.
  if (isDeepStrictEqual([...current, ...created], slugs) && model.defaultRole.slug === slug) return [];
  const ids = slugs.flatMap((each) => model.rolesBySlug.get(each)?.id ?? []);
  const defaultRoleId = model.rolesBySlug.get(slug)?.id;
  return [
    step('update', 'role_order', slug, () =>
      // Roles that are created in this transaction get their positions in the next one.
      created.length > 0 || defaultRoleId === undefined
        ? []
        : [writeOrder(environmentId, model, { roleIds: ids, defaultRoleId })],
    ),
  ];
}

/** The write of the order of an environment's roles and of its default role. */
export function writeOrder(
  environmentId: string,
  model: Model,
  order: { roleIds: string[]; defaultRoleId: string },
): Write {
  const row = model.rows.get(ORDER_ID);
  if (row !== undefined) return modelRows.revise(row, order).write;
  return modelRows.create({ kind: 'order', environmentId, id: ORDER_ID, ...order }).write;
}

function roleRemovals(environmentId: string, model: Model, { roles }: ModelDocument): Step[] {
  const kept = new Set(roles.map(({ slug }) => slug));
  return [...model.roles.values()]
    .filter(({ slug }) => !kept.has(slug))
    .map((role) => step('delete', 'role', role.slug, (unit) => stageRoleRemoval(unit, environmentId, model, role)));
}

function permissionRemovals(model: Model, document: ModelDocument): Step[] {
  const kept = new Set(document.permissions.map(({ slug }) => slug));
  return [...model.permissions.values()].flatMap((permission) => {
    if (permission.isSystem || kept.has(permission.slug)) return [];
    // The earlier steps have removed the permission from the environment's roles.
    const stage: Step['stage'] = (unit) => stagePermissionRemoval(unit, model, permission);
    const { id, slug } = permission;
    return [{ ...step('delete', 'permission', slug, stage), rows: 2, removed: { id, slug } }];
  });
}

function typeRemovals(environmentId: string, model: Model, { resource_types: types }: ModelDocument): Step[] {
  const kept = new Set(types.map(({ slug }) => slug));
  return [...model.types.values()].flatMap(({ slug, isLeaving }) => {
    const row = model.rows.get(typeRowId(slug));
    if (kept.has(slug) || isLeaving || row === undefined) return [];
    return [
      step('delete', 'resource_type', slug, (unit) => {
        typeRemoval.stage(unit, environmentId, { slug });
        return [modelRows.revise(row, { isLeaving: true }).write];
      }),
    ];
  });
}

/** Roles whose holders gain or lose permissions when a document is applied. */
export function roleEffects(model: Model, document: ModelDocument): RoleEffect[] {
  const wanted = new Map(document.roles.map(({ slug, permissions }) => [slug, new Set(permissions)]));
  return [...model.roles.values()].flatMap((role) => {
    const next = wanted.get(role.slug) ?? new Set<string>();
    const former = new Set(role.permissions);
    const gained = [...next].filter((slug) => !former.has(slug));
    const lost = [...former].filter((slug) => !next.has(slug));
    return gained.length === 0 && lost.length === 0 ? [] : [{ role, gained, lost }];
  });
}
