import * as z from 'zod';

import { StartError } from './listen.ts';
import { type Call, organizationId, userId } from './seed-groups.ts';

const Declared = z.looseObject({ slug: z.string() });

/** The entries of the model, in the form of `PUT /x/authorization/model`, identified by their slugs. */
export const modelEntries = {
  resource_types: z.array(Declared).default([]),
  permissions: z.array(Declared).default([]),
  roles: z.array(Declared).default([]),
};

/** A role of an organization, identified by its slug, which begins with `org-`. */
export const SeedOrganizationRole = z.looseObject({
  /** The organization's external_id. */
  organization: z.string(),
  slug: z.string(),
  permissions: z.array(z.string()).default([]),
});

/** A resource, whose organization is given by its external_id. */
export const SeedResource = z.looseObject({
  /** The organization's external_id. */
  organization: z.string(),
  resource_type_slug: z.string(),
  external_id: z.string(),
});

/** A role of a member on a resource of the organization, or on the organization's own. */
export const SeedAssignment = z.strictObject({
  /** The user's email. */
  user: z.string(),
  /** The organization's external_id. */
  organization: z.string(),
  role_slug: z.string(),
  resource_type_slug: z.string().optional(),
  resource_external_id: z.string().optional(),
});

const Found = z.object({ id: z.string() });
const Page = z.object({ data: z.array(Found) });

const Model = z.looseObject({
  resource_types: z.array(Declared),
  permissions: z.array(Declared),
  roles: z.array(Declared),
});

/** Adds to the model the entries that it does not have; existing ones are unchanged. */
export async function seedModel(
  file: string,
  wanted: { [Kind in keyof typeof modelEntries]: z.output<typeof Declared>[] },
  call: Call,
): Promise<void> {
  const path = '/x/authorization/model';
  const entry = `${file}, resource_types, permissions and roles`;
  const known = Model.parse(await call(entry, 'GET', path));
  const added = (kind: keyof typeof modelEntries) =>
    wanted[kind].filter(({ slug }) => !known[kind].some((each) => each.slug === slug));
  const types = added('resource_types');
  const permissions = added('permissions');
  const roles = added('roles');
  if (types.length + permissions.length + roles.length === 0) return;
  await call(entry, 'PUT', path, {
    ...known,
    resource_types: [...known.resource_types, ...types],
    permissions: [...known.permissions, ...permissions],
    roles: [...known.roles, ...roles],
  });
}

/** Creates a role of an organization if it does not exist, with its permissions. */
export async function seedOrganizationRole(
  entry: string,
  { organization, permissions, ...members }: z.output<typeof SeedOrganizationRole>,
  call: Call,
): Promise<void> {
  const path = `/authorization/organizations/${await organizationId(entry, organization, call)}/roles`;
  const { data } = z.object({ data: z.array(Declared) }).parse(await call(entry, 'GET', path));
  if (data.some(({ slug }) => slug === members.slug)) return;
  await call(entry, 'POST', path, members);
  await call(entry, 'PUT', `${path}/${members.slug}/permissions`, { permissions });
}

/** Creates a resource if it does not exist. */
export async function seedResource(entry: string, wanted: z.output<typeof SeedResource>, call: Call): Promise<void> {
  const { organization, ...members } = wanted;
  const organization_id = await organizationId(entry, organization, call);
  const query = new URLSearchParams({
    organization_id,
    resource_type_slug: members.resource_type_slug,
    resource_external_id: members.external_id,
  });
  const { data } = Page.parse(await call(entry, 'GET', `/authorization/resources?${query.toString()}`));
  if (data.length === 0) await call(entry, 'POST', '/authorization/resources', { organization_id, ...members });
}

/**
 * Gives a member a role; it has no effect if the member has it.
 * @throws StartError if there is no such member
 */
export async function seedAssignment(
  entry: string,
  wanted: z.output<typeof SeedAssignment>,
  call: Call,
): Promise<void> {
  const { user, organization, role_slug, resource_type_slug: type, resource_external_id: externalId } = wanted;
  const organization_id = await organizationId(entry, organization, call);
  const pair = `user_id=${await userId(entry, user, call)}&organization_id=${organization_id}`;
  const [membership] = Page.parse(await call(entry, 'GET', `/user_management/organization_memberships?${pair}`)).data;
  if (membership === undefined) throw new StartError(`${entry}: ${user} is no member of ${organization}.`);
  await call(entry, 'POST', `/authorization/organization_memberships/${membership.id}/role_assignments`, {
    role_slug,
    resource_type_slug: type ?? 'organization',
    resource_external_id: externalId ?? organization_id,
  });
}
