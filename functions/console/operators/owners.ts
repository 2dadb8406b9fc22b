import { OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID } from '../../kernel/authentication/environment-id.ts';
import { listHolders } from '../../role-holders/public.ts';
import { loadModel } from '../../roles/public.ts';

/** The ids of the memberships that have the role `owner` for all environments, at most so many. */
export async function findOwners(most: number): Promise<string[]> {
  const owner = (await loadModel(OPERATORS_ENVIRONMENT_ID)).rolesBySlug.get('owner');
  if (owner === undefined) return [];
  const place = { environmentId: OPERATORS_ENVIRONMENT_ID, organizationId: OPERATORS_ORGANIZATION_ID };
  const holders = await listHolders({ ...place, roleId: owner.id, kind: 'membership', limit: most });
  return holders.map(({ holderId }) => holderId);
}
