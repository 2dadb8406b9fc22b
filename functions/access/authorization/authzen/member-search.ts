import type { FoundResource } from '../resource/find.ts';
import { findChain } from '../lookup/chain.ts';
import type { Search } from '../lookup/members.ts';
import { readOrganization } from '../lookup/organization.ts';

/**
 * The search for the members who have a permission on a resource by any role; undefined below a deleted resource, or for an
 * unknown permission.
 */
export async function memberSearch(
  environmentId: string,
  found: FoundResource,
  slug: string,
): Promise<Search | undefined> {
  const [resource, ...above] = (await findChain(found)) ?? [];
  if (resource === undefined) return undefined;
  const { organizationId } = found.view;
  const { roles, organization, isMultiple } = await readOrganization(environmentId, organizationId);
  const permission = roles.model.permissionsBySlug.get(slug);
  if (permission === undefined || organization === undefined) return undefined;
  return { environmentId, organizationId, nodes: [resource, ...above], permission, roles, isMultiple };
}
