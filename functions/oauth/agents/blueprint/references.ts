import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, FailureDetails } from '../../../kernel/errors.ts';
import { findOrganizations } from '../../../tenancy/organizations/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { permissionNotFound, type referenceErrors, roleNotFound, unknownOrganization } from './errors.ts';

/** The lists of permissions, roles and organizations in a request; an absent one stays unchanged. */
export interface NamedLists {
  permissions?: readonly string[] | undefined;
  roleSlugs?: readonly string[] | undefined;
  organizationIds?: readonly string[] | undefined;
}

type Fail = (error: (typeof referenceErrors)[number], details?: FailureDetails) => Failure;

/** Finds the ids that belong to slugs. @throws Failure for the first unknown slug */
function findIds(
  slugs: readonly string[],
  known: ReadonlyMap<string, { id: string }>,
  failure: (slug: string) => Failure,
) {
  return slugs.map((slug) => {
    const found = known.get(slug);
    if (found === undefined) throw failure(slug);
    return found.id;
  });
}

/**
 * Checks that every permission, role and organization in a request exists, and returns the lists as attributes of a
 * blueprint. It takes two strongly consistent reads in parallel, and none for lists that are absent or empty.
 * @throws Failure 422 that names the first unknown one
 */
export async function readReferences(environmentId: string, lists: NamedLists, fail: Fail) {
  const { permissions, roleSlugs, organizationIds } = lists;
  const hasSlugs = (permissions?.length ?? 0) + (roleSlugs?.length ?? 0) > 0;
  const [model, organizations] = await awaitAll([
    hasSlugs ? loadModel(environmentId) : undefined,
    organizationIds === undefined || organizationIds.length === 0
      ? undefined
      : findOrganizations(environmentId, organizationIds),
  ]);
  const none = new Map<string, { id: string }>();
  const unknown =
    (error: Parameters<Fail>[0], member: string) =>
    (value: string): Failure =>
      fail(error, { issues: [{ field: member, code: error.code, message: `names ${JSON.stringify(value)}` }] });
  return {
    ...(permissions && {
      permissions: [...permissions],
      permissionIds: findIds(permissions, model?.permissionsBySlug ?? none, unknown(permissionNotFound, 'permissions')),
    }),
    ...(roleSlugs && {
      roleSlugs: [...roleSlugs],
      roleIds: findIds(roleSlugs, model?.rolesBySlug ?? none, unknown(roleNotFound, 'invocable_by.role_slugs')),
    }),
    ...(organizationIds && {
      organizationIds: findIds(
        organizationIds,
        organizations ?? none,
        unknown(unknownOrganization, 'invocable_by.organization_ids'),
      ),
    }),
  };
}
