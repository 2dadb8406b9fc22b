import * as z from 'zod';

import { type Call, organizationId } from './seed-groups.ts';

/** A connection to the test identity provider of the local service. The organization is given by its external_id. */
export const SeedConnection = z.strictObject({
  /** The organization's external_id. */
  organization: z.string(),
  name: z.string().optional(),
  connection_type: z.literal('TestIdp'),
  group_roles: z.array(z.strictObject({ group: z.string(), role_slug: z.string() })).default([]),
});

const Page = z.object({ data: z.array(z.object({ connection_type: z.string() })) });
const Found = z.object({ id: z.string() });

/** Creates a connection to the test identity provider, unless the organization has one. */
export async function seedConnection(
  entry: string,
  { organization, group_roles, ...wanted }: z.output<typeof SeedConnection>,
  call: Call,
): Promise<void> {
  const home = await organizationId(entry, organization, call);
  const { data } = Page.parse(await call(entry, 'GET', `/connections?limit=100&organization_id=${home}`));
  if (data.some(({ connection_type: type }) => type === 'TestIdp')) return;
  const saml_options = (await call(entry, 'GET', '/_local/idp/options')) as object;
  const body = { ...wanted, organization_id: home, saml_options };
  const { id } = Found.parse(await call(entry, 'POST', '/connections', body));
  if (group_roles.length > 0) await call(entry, 'PATCH', `/x/connections/${id}`, { settings: { group_roles } });
}
