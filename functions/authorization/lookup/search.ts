import { findOrganization, type OrganizationSummary } from '../../organizations/public.ts';
import { loadRoles } from '../../roles/public.ts';
import { mayHaveSeveral } from '../check/membership.ts';
import type { FoundResource } from '../resource/find.ts';
import { findChain } from './chain.ts';
import type { Search } from './members.ts';

/** A search for the members on a resource, with its organization. */
export interface MemberSearch {
  search: Search;
  organization: OrganizationSummary;
}

/**
 * The search for the members who have a permission on a resource; undefined below a deleted resource, or for an unknown permission.
 * @param assignment `direct`: by a role on this very resource; `indirect`: by whatever role.
 */
export async function memberSearch(
  environmentId: string,
  found: FoundResource,
  slug: string,
  assignment: 'direct' | 'indirect',
): Promise<MemberSearch | undefined> {
  const [resource, ...above] = (await findChain(found)) ?? [];
  if (resource === undefined) return undefined;
  const { organizationId } = found.view;
  const [roles, organization, isMultiple] = await Promise.all([
    loadRoles(environmentId, organizationId),
    findOrganization(environmentId, organizationId),
    mayHaveSeveral(environmentId),
  ]);
  const permission = roles.model.permissionsBySlug.get(slug);
  if (permission === undefined || organization === undefined) return undefined;
  const nodes = [resource, ...(assignment === 'direct' ? [] : above)] as const;
  return { search: { environmentId, organizationId, nodes, permission, roles, isMultiple }, organization };
}
