import * as z from 'zod';

import { type Call, organizationId } from './seed-groups.ts';

/** A directory with the users and groups that its provider sends by SCIM. Its organization is given by its external_id. */
export const SeedDirectory = z.looseObject({
  /** The organization's external_id. */
  organization: z.string(),
  name: z.string(),
  /** The key that identifies an existing directory at a second start. */
  external_key: z.string(),
  /** The token of the provider, at least 32 characters. */
  token: z.string(),
  /** The users as bodies of SCIM requests. */
  users: z.array(z.looseObject({ userName: z.string() })).default([]),
  /** Groups with the user names of their members. */
  groups: z.array(z.strictObject({ displayName: z.string(), members: z.array(z.string()).default([]) })).default([]),
});

const Page = z.object({ data: z.array(z.object({ external_key: z.string() })) });
const Found = z.object({ id: z.string() });

/** Creates a directory if it does not exist, with its token, users and groups, as its provider would. */
export async function seedDirectory(entry: string, wanted: z.output<typeof SeedDirectory>, call: Call): Promise<void> {
  const { organization, token, users, groups, ...directory } = wanted;
  const home = await organizationId(entry, organization, call);
  const { data } = Page.parse(await call(entry, 'GET', `/directories?limit=100&organization_id=${home}`));
  if (data.some(({ external_key: key }) => key === directory.external_key)) return;
  const { id } = Found.parse(await call(entry, 'POST', '/x/directories', { ...directory, organization_id: home }));
  await call(entry, 'POST', `/x/directories/${id}/tokens`, { value: token });
  const address = `/scim/v2.0/${encodeURIComponent(directory.external_key)}`;
  const ids = new Map<string, string>();
  for (const user of users) {
    ids.set(user.userName, Found.parse(await call(entry, 'POST', `${address}/Users`, user, token)).id);
  }
  for (const { displayName, members } of groups) {
    const body = { displayName, members: members.map((name) => ({ value: ids.get(name) ?? name })) };
    await call(entry, 'POST', `${address}/Groups`, body, token);
  }
}
