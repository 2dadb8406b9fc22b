import type { Failure, Issue } from '../../../kernel/errors.ts';
import { loadModel, ORGANIZATION_TYPE } from '../../../tenancy/roles/public.ts';
import type { ApiKeyRecord } from './entity.ts';

/**
 * The permissions of a new key, with their ids. An empty list needs no read.
 * @throws Failure for one that the environment does not have, or that is not for organizations
 */
export async function readPermissions(
  environmentId: string,
  slugs: readonly string[] | undefined,
  invalid: (issues: readonly Issue[]) => Failure,
): Promise<{ permissions: string[]; permissionIds: string[] }> {
  if (slugs === undefined || slugs.length === 0) return { permissions: [], permissionIds: [] };
  const { permissionsBySlug } = await loadModel(environmentId);
  const found = slugs.flatMap((slug) => permissionsBySlug.get(slug) ?? []);
  const known = new Set(found.filter(({ resourceType }) => resourceType === ORGANIZATION_TYPE).map(({ slug }) => slug));
  const issues = slugs.flatMap((slug, at): Issue[] => {
    if (known.has(slug)) return [];
    const message = permissionsBySlug.has(slug)
      ? `is a permission on resources below organizations, which a key cannot have: ${slug}`
      : `names no permission of this environment: ${slug}`;
    return [{ field: `permissions.${at}`, code: 'invalid_value', message }];
  });
  if (issues.length > 0) throw invalid(issues);
  return { permissions: [...slugs], permissionIds: found.map(({ id }) => id) };
}

/**
 * Returns a function that removes from a key the permissions that the environment no longer has. It costs one strongly
 * consistent GetItem, or none if this instance has cached the model. A permission that was recreated with the same slug is
 * a different one. Older keys keep their permissions, which were never checked against the model.
 */
export async function readCurrentPermissions(environmentId: string): Promise<(key: ApiKeyRecord) => ApiKeyRecord> {
  const { permissions } = await loadModel(environmentId);
  return (key) => {
    const { permissionIds } = key;
    if (permissionIds === undefined) return key;
    return { ...key, permissions: key.permissions.filter((_, at) => permissions.has(permissionIds[at] ?? '')) };
  };
}
