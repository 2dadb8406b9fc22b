import { awaitAll } from '../../../kernel/concurrency.ts';
import { fitsKey } from '../../../kernel/storage/collection.ts';
import { Snapshots } from '../../../kernel/storage/snapshot.ts';
import { inOrder, type Model, type Role, toRole } from '../model/compiled.ts';
import { loadModel } from '../model/load.ts';
import { type OrganizationRoleRecord, readOrganizationRoles, readRoleOrder, type RoleOrderRecord } from './entity.ts';

/** The cached roles of an organization that has roles of its own. */
interface OwnRoles {
  order: RoleOrderRecord | undefined;
  records: readonly OrganizationRoleRecord[];
}

const kept = new Snapshots<OwnRoles>(1_000);

/** The roles that an organization can assign: its own and the environment's. */
export interface OrganizationRoles {
  model: Model;
  /** The environment's roles and its own, by id, the highest priority first. */
  roles: ReadonlyMap<string, Role>;
  rolesBySlug: ReadonlyMap<string, Role>;
  /** The role of a membership for which a request names none. */
  defaultRole: Role;
  /** The organization's rows of roles, read in order to change them. */
  own: OwnRoles;
}

async function loadOwnRoles(environmentId: string, organizationId: string): Promise<OwnRoles> {
  if (!fitsKey(organizationId)) return { order: undefined, records: [] };
  const source = {
    version: async () => (await readRoleOrder(environmentId, organizationId))?.version ?? 0,
    rows: async () => {
      const order = await readRoleOrder(environmentId, organizationId);
      return { order, records: order === undefined ? [] : await readOrganizationRoles(environmentId, organizationId) };
    },
    compile: (rows: OwnRoles) => rows,
  };
  return kept.load(`${environmentId}#${organizationId}`, source);
}

/** Combines the environment's roles with an organization's own. */
function combine(model: Model, organizationId: string, own: OwnRoles): OrganizationRoles {
  if (own.order === undefined) return { ...model, model, own };
  const roles = [...model.roles.values()];
  for (const record of own.records) roles.push(toRole(record, model.permissions, organizationId));
  const ordered = inOrder(roles, own.order.roleIds as string[]);
  const byId = new Map(ordered.map((role) => [role.id, role]));
  return {
    model,
    roles: byId,
    rolesBySlug: new Map(ordered.map((role) => [role.slug, role])),
    defaultRole: byId.get(own.order.defaultRoleId ?? '') ?? model.defaultRole,
    own,
  };
}

/**
 * The current roles of an organization, and the model. It takes two strongly consistent GetItems in parallel while this
 * instance has cached both at their versions, otherwise up to two further round trips. It does not check that the
 * organization exists.
 */
export async function loadRoles(environmentId: string, organizationId: string): Promise<OrganizationRoles> {
  const [model, own] = await awaitAll([loadModel(environmentId), loadOwnRoles(environmentId, organizationId)]);
  return combine(model, organizationId, own);
}
