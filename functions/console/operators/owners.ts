import { OPERATORS_ENVIRONMENT_ID, OPERATORS_ORGANIZATION_ID } from '../../kernel/authentication/environment-id.ts';
import { type HolderRecord, listHolders } from '../../role-holders/public.ts';
import { loadModel } from '../../roles/public.ts';

/** The memberships that have the role `owner` for all environments, at most so many, by the rows of holders. */
export async function findOwners(most: number): Promise<HolderRecord[]> {
  const owner = (await loadModel(OPERATORS_ENVIRONMENT_ID)).rolesBySlug.get('owner');
  if (owner === undefined) return [];
  const place = { environmentId: OPERATORS_ENVIRONMENT_ID, organizationId: OPERATORS_ORGANIZATION_ID };
  return listHolders({ ...place, roleId: owner.id, kind: 'membership', limit: most });
}
