import type { Api, AreaSamples } from './sample.ts';

const PATH = '/authorization/groups/{group_id}/role_assignments';

/** A group that has the role `member` at its organization. */
const groupWithRole = async ({ create }: Api) => {
  const { id: organizationId } = await create('/organizations', { name: 'Acme' });
  const { id } = await create(`/organizations/${String(organizationId)}/groups`, { name: 'Support' });
  const made = await create(`/authorization/groups/${String(id)}/role_assignments`, { role_slug: 'member' });
  return { group_id: String(id), role_assignment_id: String(made.id) };
};

/** The samples of operations on the role assignments of groups. */
export const groupAssignmentSamples: AreaSamples = {
  params: {
    [PATH]: async (api) => ({ group_id: (await groupWithRole(api)).group_id }),
    [`${PATH}/{role_assignment_id}`]: groupWithRole,
  },
  bodies: {
    'authorization.groups.role_assignments.create': async () => ({ role_slug: 'admin' }),
    'authorization.groups.role_assignments.replace': async () => ({ role_assignments: [{ role_slug: 'admin' }] }),
    'authorization.groups.role_assignments.remove': async () => ({ role_slug: 'member' }),
  },
};
