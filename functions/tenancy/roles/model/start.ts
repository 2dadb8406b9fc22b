import { createHash } from 'node:crypto';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { ENVIRONMENT_TYPE, isOperatorsEnvironment } from '../../../kernel/authentication/environment-id.ts';
import { ulidAt } from '../../../kernel/id-format.ts';
import { acceptConflict } from '../../../kernel/storage/background.ts';
import { expectNoHead, raiseHead, readVersion } from '../../../kernel/storage/head.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import { workKind } from '../../../kernel/storage/work.ts';
import { unguarded } from '../../../kernel/storage/write.ts';
import { MEMBER_ROLE, ORGANIZATION_TYPE, type Permission } from './compiled.ts';
import { MODEL_HEAD, type ModelRow, modelRows, ORDER_ID, typeRowId } from './entity.ts';
import { MODEL_CREATED_AT, OPERATOR_PERMISSION_ROWS, OPERATOR_ROLES } from './operator-model.ts';
import { SYSTEM_PERMISSIONS } from './system-permissions.ts';

/**
 * The model of an environment that was never changed has no rows: it is derived from the environment's own row. Its ids are
 * derived too, so that a grant can refer to a role that is written later. The first change writes the rows.
 */

/** The initial roles of every environment. `admin` can be changed and deleted like any other role. */
const FIRST_ROLES = [
  { slug: MEMBER_ROLE, name: 'Member' },
  { slug: 'admin', name: 'Admin' },
];

/**
 * The work that writes the role holder rows of memberships that were stored before such rows existed. Until the model's
 * first change no role has a permission and none can be deleted, so nothing reads these rows earlier.
 */
export const holderCompletion = workKind<Record<string, never>>('roles.complete_holders', { runs: 1 });

/** Number of rows in a transaction, in addition to its condition. */
const SLICE = 80;

/** A derived id, which is always the same for the same record of an environment and has the environment's time. */
function derivedId(prefix: string, environmentId: string, createdAt: string, slug: string): string {
  const digest = createHash('sha256').update(`${environmentId}#${prefix}#${slug}`).digest();
  return `${prefix}_${ulidAt(Date.parse(createdAt), digest)}`;
}

async function findCreatedAt(environmentId: string): Promise<string> {
  if (isOperatorsEnvironment(environmentId)) return MODEL_CREATED_AT;
  return (await findEnvironment(environmentId))?.createdAt ?? new Date(0).toISOString();
}

/**
 * The permissions that belong to the service, which are in every model but in no row. It reads nothing while the
 * environment is cached.
 */
export async function systemPermissions(environmentId: string): Promise<Permission[]> {
  const createdAt = await findCreatedAt(environmentId);
  return SYSTEM_PERMISSIONS.map(({ slug, name, description }) => ({
    id: derivedId('perm', environmentId, createdAt, slug),
    slug,
    name,
    description,
    resourceType: ORGANIZATION_TYPE,
    isSystem: true,
    createdAt,
    updatedAt: createdAt,
  }));
}

/** Roles that the environment's settings had before roles were records. */
function settingsRoles(settings: unknown): { slug: string; name: string }[] {
  const section = (settings as Record<string, { roles?: unknown } | undefined> | undefined)?.['user-management'];
  const roles = Array.isArray(section?.roles) ? (section.roles as { slug?: unknown; name?: unknown }[]) : [];
  return roles.flatMap(({ slug, name }) =>
    typeof slug === 'string' ? [{ slug, name: typeof name === 'string' ? name : slug }] : [],
  );
}

/** The initial rows of the operators' model: the type of environments, the permissions, `member` and the operators' roles. */
function operatorRows(environmentId: string): ModelRow[] {
  const id = (prefix: string, slug: string) => derivedId(prefix, environmentId, MODEL_CREATED_AT, slug);
  const make = (row: Parameters<typeof modelRows.create>[0]) => modelRows.create(row, MODEL_CREATED_AT).record;
  const roles = [
    ...OPERATOR_ROLES,
    { slug: MEMBER_ROLE, name: 'Member', permissions: [], resourceType: ORGANIZATION_TYPE },
  ];
  const roleRows = roles.map(({ permissions, ...role }) => {
    const permissionIds = permissions.map((slug) => id('perm', slug));
    return make({ kind: 'role', environmentId, id: id('role', role.slug), ...role, permissionIds });
  });
  const type = { slug: ENVIRONMENT_TYPE, name: 'Environment', parentTypes: [ORGANIZATION_TYPE] };
  return [
    make({ kind: 'type', environmentId, id: typeRowId(ENVIRONMENT_TYPE), ...type }),
    ...OPERATOR_PERMISSION_ROWS.map((row) =>
      make({ kind: 'permission', environmentId, id: id('perm', row.slug), ...row }),
    ),
    ...roleRows,
    make({ kind: 'order', environmentId, id: ORDER_ID, roleIds: roleRows.map((row) => row.id) }),
  ];
}

/**
 * The initial rows of an environment's model: `member`, `admin` and the roles of its former settings, in this order; for
 * the environment of the operators its built-in model.
 */
export async function firstRows(environmentId: string): Promise<ModelRow[]> {
  if (isOperatorsEnvironment(environmentId)) return operatorRows(environmentId);
  const environment = await findEnvironment(environmentId);
  const createdAt = await findCreatedAt(environmentId);
  const roles = [...FIRST_ROLES, ...settingsRoles(environment?.settings)];
  const named = [...new Map(roles.toReversed().map((role) => [role.slug, role])).values()].toReversed();
  const rows = named.map(({ slug, name }) => {
    const id = derivedId('role', environmentId, createdAt, slug);
    const row = { kind: 'role' as const, environmentId, id, slug, name, resourceType: ORGANIZATION_TYPE };
    return modelRows.create({ ...row, permissionIds: [] }, createdAt).record;
  });
  const order = { kind: 'order' as const, environmentId, id: 'order', roleIds: rows.map(({ id }) => id) };
  return [...rows, modelRows.create(order, createdAt).record];
}

/**
 * Writes the rows of a model that was never changed; it has no effect on a changed one. Each transaction requires that the
 * version does not exist, so a late caller overwrites nothing.
 */
export async function writeFirstRows(environmentId: string): Promise<void> {
  if ((await readVersion(environmentId, MODEL_HEAD)) > 0) return;
  const rows = await firstRows(environmentId);
  for (let at = 0; at < rows.length; at += SLICE) {
    const unit = new Unit(environmentId, systemActor);
    // A concurrent caller writes the same rows, so only the version has a condition.
    const writes = rows.slice(at, at + SLICE).map((row) => modelRows.create(row, row.createdAt).write);
    unit.stage([...writes.map(unguarded), expectNoHead(environmentId, MODEL_HEAD)]);
    if ((await unit.commit()).kind !== 'committed') return;
  }
  const unit = new Unit(environmentId, systemActor);
  unit.stage(raiseHead(environmentId, MODEL_HEAD, 0));
  holderCompletion.stage(unit, environmentId, {});
  acceptConflict(await unit.commit(), 'the caller reads the version again and repeats this while there is none');
}
