import * as z from 'zod';

import { StartError } from './listen.ts';

/** A call of the API for an entry of a seed file, which its error names. */
export type Call = (entry: string, method: string, path: string, body?: object, key?: string) => Promise<unknown>;

/** A group with its members and roles. The organization is given by its external_id, members by their email. */
export const SeedGroup = z.strictObject({
  /** The organization's external_id. */
  organization: z.string(),
  /** The name, which identifies an existing group of the organization at a second start. */
  name: z.string(),
  description: z.string().optional(),
  /** Emails of users who are members of the organization. */
  members: z.array(z.string()).default([]),
  /** Roles at the organization by their slugs, or on resources by their external ids. */
  roles: z
    .array(
      z.union([
        z.string(),
        z.strictObject({
          role_slug: z.string(),
          resource_external_id: z.string(),
          resource_type_slug: z.string(),
        }),
      ]),
    )
    .default([]),
});

const Found = z.object({ id: z.string() });
const Page = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string().nullish() })),
  list_metadata: z.object({ after: z.string().nullable() }),
});
const Assignments = z.object({
  data: z.array(
    z.object({
      role: z.object({ slug: z.string() }),
      resource: z.object({ external_id: z.string(), resource_type_slug: z.string() }),
    }),
  ),
});

/** The id of the organization with an external id. */
export const organizationId = async (entry: string, externalId: string, call: Call): Promise<string> =>
  Found.parse(await call(entry, 'GET', `/organizations/external_id/${encodeURIComponent(externalId)}`)).id;

/** The id of the user with an address. @throws StartError if there is none */
export async function userId(entry: string, email: string, call: Call): Promise<string> {
  const { data } = Page.parse(await call(entry, 'GET', `/user_management/users?email=${encodeURIComponent(email)}`));
  const [user] = data;
  if (user === undefined) throw new StartError(`${entry}: there is no user ${email}.`);
  return user.id;
}

/** Creates a group with its members and roles, or adds to an existing one those that it does not have. */
export async function seedGroup(entry: string, wanted: z.output<typeof SeedGroup>, call: Call): Promise<void> {
  const { organization, name, description, members, roles } = wanted;
  const home = await organizationId(entry, organization, call);
  const path = `/organizations/${home}/groups`;
  const known = await findByName(entry, path, name, call);
  const group = known ?? Found.parse(await call(entry, 'POST', path, { name, description })).id;
  for (const email of members) {
    const pair = `user_id=${await userId(entry, email, call)}&organization_id=${home}&statuses=active,inactive,pending`;
    const { data } = Page.parse(await call(entry, 'GET', `/user_management/organization_memberships?${pair}`));
    const [membership] = data;
    if (membership === undefined) throw new StartError(`${entry}: ${email} is no member of ${organization}.`);
    await call(entry, 'POST', `${path}/${group}/organization-memberships`, {
      organization_membership_id: membership.id,
    });
  }
  await giveRoles(entry, { group, organization: home }, roles, call);
}

async function findByName(entry: string, path: string, name: string, call: Call): Promise<string | undefined> {
  for (let after = ''; ;) {
    const page = Page.parse(await call(entry, 'GET', `${path}?limit=100${after}`));
    const found = page.data.find((group) => group.name === name);
    if (found !== undefined || page.list_metadata.after === null) return found?.id;
    after = `&after=${page.list_metadata.after}`;
  }
}

async function giveRoles(
  entry: string,
  { group, organization }: { group: string; organization: string },
  roles: z.output<typeof SeedGroup>['roles'],
  call: Call,
): Promise<void> {
  if (roles.length === 0) return;
  const path = `/authorization/groups/${group}/role_assignments`;
  const { data } = Assignments.parse(await call(entry, 'GET', `${path}?limit=100`));
  const makeKey = (...parts: string[]): string => JSON.stringify(parts);
  const held = new Set(
    data.map(({ role, resource }) => makeKey(role.slug, resource.resource_type_slug, resource.external_id)),
  );
  for (const role of roles) {
    const body = typeof role === 'string' ? { role_slug: role } : role;
    const {
      role_slug: slug,
      resource_type_slug: type = 'organization',
      resource_external_id: id = organization,
    } = body as { role_slug: string; resource_type_slug?: string; resource_external_id?: string };
    if (!held.has(makeKey(slug, type, id))) await call(entry, 'POST', path, body);
  }
}
