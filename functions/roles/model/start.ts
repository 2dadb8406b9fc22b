import { createHash } from 'node:crypto';

import { systemActor } from '../../kernel/authentication/caller.ts';
import { environmentOf } from '../../kernel/authentication/environment.ts';
import { ulidAt } from '../../kernel/id-format.ts';
import { expectNoHead, raiseHead, readVersion } from '../../kernel/storage/head.ts';
import { Unit } from '../../kernel/storage/unit.ts';
import { unguarded } from '../../kernel/storage/write.ts';
import { MEMBER_ROLE, ORGANIZATION_TYPE, type Permission } from './compiled.ts';
import { MODEL_HEAD, type ModelRow, modelRows } from './entity.ts';
import { SYSTEM_PERMISSIONS } from './system-permissions.ts';

/**
 * An environment whose model was never changed has no rows: its model follows from its own row. The ids follow too, so that
 * a grant names a role that is written later. The first change writes the rows.
 */

/** Roles that every environment begins with. `admin` is one like any other from then on. */
const FIRST_ROLES = [
  { slug: MEMBER_ROLE, name: 'Member' },
  { slug: 'admin', name: 'Admin' },
];

/** Rows in a transaction, next to its condition. */
const SLICE = 80;

/** An id that an environment always gives to the same thing: its time is the environment's. */
function derivedId(prefix: string, environmentId: string, createdAt: string, slug: string): string {
  const digest = createHash('sha256').update(`${environmentId}#${prefix}#${slug}`).digest();
  return `${prefix}_${ulidAt(Date.parse(createdAt), digest)}`;
}

async function createdAtOf(environmentId: string): Promise<string> {
  return (await environmentOf(environmentId))?.createdAt ?? new Date(0).toISOString();
}

/** The permissions that belong to the service: in every model, in no row. Nothing is read while the environment is known. */
export async function systemPermissions(environmentId: string): Promise<Permission[]> {
  const createdAt = await createdAtOf(environmentId);
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

/** The rows that an environment's model begins with: `member`, `admin` and the roles of its former settings, in this order. */
export async function firstRows(environmentId: string): Promise<ModelRow[]> {
  const environment = await environmentOf(environmentId);
  const createdAt = await createdAtOf(environmentId);
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
 * Writes the rows of a model that was never changed; without effect on one that was. Each transaction requires that the head
 * is not there, so a caller that comes late writes nothing over what was changed since.
 */
export async function writeFirstRows(environmentId: string): Promise<void> {
  if ((await readVersion(environmentId, MODEL_HEAD)) > 0) return;
  const rows = await firstRows(environmentId);
  for (let at = 0; at < rows.length; at += SLICE) {
    const unit = new Unit(environmentId, systemActor);
    // Rows of another who does the same are these: the condition is only on the head.
    const writes = rows.slice(at, at + SLICE).map((row) => modelRows.create(row, row.createdAt).write);
    unit.stage([...writes.map(unguarded), expectNoHead(environmentId, MODEL_HEAD)]);
    if ((await unit.commit()).kind !== 'committed') return;
  }
  const unit = new Unit(environmentId, systemActor);
  unit.stage(raiseHead(environmentId, MODEL_HEAD, 0));
  await unit.commit();
}
