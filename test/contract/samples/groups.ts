import { writeUser } from '../../support/user-rows.ts';
import { type Api, type AreaSamples, organization } from './sample.ts';

const ownOrganization = async (api: Api): Promise<Record<string, string>> => ({
  organizationId: await organization(api),
});

/** The organization of the latest group by environment; the member of a body belongs to it. */
const latest = new Map<string, string>();

const group = async (api: Api): Promise<Record<string, string>> => {
  const { organizationId = '' } = await ownOrganization(api);
  latest.set(api.environmentId, organizationId);
  const { id } = await api.create(`/organizations/${organizationId}/groups`, { name: 'Support' });
  return { organizationId, groupId: String(id) };
};

const membershipIn = async (api: Api, organizationId: string): Promise<string> => {
  const user_id = await writeUser(api.environmentId);
  const membership = { user_id, organization_id: organizationId };
  return String((await api.create('/user_management/organization_memberships', membership)).id);
};

const member = async (api: Api): Promise<Record<string, string>> => {
  const { organizationId = '', groupId = '' } = await group(api);
  const omId = await membershipIn(api, organizationId);
  const path = `/organizations/${organizationId}/groups/${groupId}/organization-memberships`;
  await api.send('POST', path, { body: JSON.stringify({ organization_membership_id: omId }) });
  return { organizationId, groupId, omId };
};

const one = '/organizations/{organizationId}/groups/{groupId}';

export const groupSamples: AreaSamples = {
  params: {
    '/organizations/{organizationId}/groups': ownOrganization,
    [one]: group,
    [`${one}/organization-memberships`]: group,
    [`${one}/organization-memberships/{omId}`]: member,
    '/user_management/organization_memberships/{omId}/groups': async (api) => ({
      omId: await membershipIn(api, (await ownOrganization(api)).organizationId ?? ''),
    }),
  },
  bodies: {
    'group_members.create': async (api) => {
      const organizationId = latest.get(api.environmentId) ?? String((await group(api)).organizationId);
      return { organization_membership_id: await membershipIn(api, organizationId) };
    },
  },
};
