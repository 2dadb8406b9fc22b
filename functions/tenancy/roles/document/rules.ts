import type { Issue } from '../../../kernel/errors.ts';
import { MAX_DEPTH } from '../model/rules.ts';
import { MEMBER_ROLE, type Model, ORGANIZATION_TYPE } from '../model/compiled.ts';
import type { ModelDocument } from './schema.ts';

const issue = (field: string, message: string): Issue => ({ field, code: 'invalid_value', message });

/**
 * The issues of a document: slugs that occur twice, references to roles, permissions or types that it does not contain, a
 * cycle of types or more than 10 levels of them, permissions outside of a role's type, and a changed resource type of a
 * permission or a role.
 * @param model the current model, whose permissions of the service roles can have
 */
export function issuesOf(document: ModelDocument, model: Model): Issue[] {
  const { resource_types: types, permissions, roles } = document;
  const parents = new Map([
    [ORGANIZATION_TYPE, [] as string[]],
    ...types.map((type) => [type.slug, type.parents] as const),
  ]);
  const shape = [
    ...duplicates('resource_types', types),
    ...duplicates('permissions', permissions),
    ...duplicates('roles', roles),
    ...types.flatMap((type, at) =>
      type.parents
        .filter((parent) => !parents.has(parent))
        .map((parent) => issue(`resource_types.${at}.parents`, `names no resource type of the document: ${parent}`)),
    ),
  ];
  if (shape.length > 0) return shape;
  const levels = sortByLevel(parents);
  const deep = types.findIndex(({ slug }) => (levels.get(slug) ?? Infinity) > MAX_DEPTH);
  if (deep >= 0) {
    const isCycle = levels.get(types[deep]?.slug ?? '') === undefined;
    const message = isCycle ? 'is below itself' : `is more than ${MAX_DEPTH} levels below ${ORGANIZATION_TYPE}`;
    return [issue(`resource_types.${deep}.parents`, message)];
  }
  return [...permissionIssues(document, model, parents), ...roleIssues(document, model, parents)];
}

function duplicates(list: string, entries: readonly { slug: string }[]): Issue[] {
  const seen = new Set<string>();
  return entries.flatMap(({ slug }, at) => {
    if (seen.has(slug)) return [issue(`${list}.${at}.slug`, `occurs twice: ${slug}`)];
    seen.add(slug);
    return [];
  });
}

/** The longest path from each type to the root. A type on a cycle, or below one, has none. */
function sortByLevel(parents: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const levels = new Map([[ORGANIZATION_TYPE, 0]]);
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [slug, above] of parents) {
      const known = above.map((parent) => levels.get(parent));
      if (levels.has(slug) || known.includes(undefined)) continue;
      levels.set(slug, 1 + Math.max(...known.map((level) => level ?? 0)));
      isGrowing = true;
    }
  }
  return levels;
}

function permissionIssues(
  { permissions }: ModelDocument,
  model: Model,
  parents: ReadonlyMap<string, readonly string[]>,
): Issue[] {
  return permissions.flatMap(({ slug, resource_type_slug: type }, at) => {
    const former = model.permissionsBySlug.get(slug);
    const field = `permissions.${at}`;
    if (former?.isSystem === true) return [issue(`${field}.slug`, `is a permission of the service: ${slug}`)];
    return typeIssues(field, type, former?.resourceType, parents);
  });
}

function typeIssues(
  field: string,
  type: string,
  former: string | undefined,
  parents: ReadonlyMap<string, readonly string[]>,
): Issue[] {
  const name = `${field}.resource_type_slug`;
  if (!parents.has(type)) return [issue(name, `names no resource type of the document: ${type}`)];
  return former === undefined || former === type ? [] : [issue(name, `cannot be changed: it is ${former}`)];
}

function roleIssues(
  { permissions, roles, default_role: defaultRole }: ModelDocument,
  model: Model,
  parents: ReadonlyMap<string, readonly string[]>,
): Issue[] {
  const types = new Map(permissions.map(({ slug, resource_type_slug: type }) => [slug, type]));
  for (const { slug, isSystem, resourceType } of model.permissions.values())
    if (isSystem) types.set(slug, resourceType);
  const isWithin = (type: string, ancestor: string): boolean =>
    type === ancestor || (parents.get(type) ?? []).some((parent) => isWithin(parent, ancestor));
  const issues = roles.flatMap((role, at) => {
    const field = `roles.${at}`;
    const held = role.permissions.flatMap((slug) => {
      const type = types.get(slug);
      if (type === undefined) return [issue(`${field}.permissions`, `names no permission of the document: ${slug}`)];
      if (isWithin(type, role.resource_type_slug)) return [];
      return [issue(`${field}.permissions`, `${slug} is of a type that is not within ${role.resource_type_slug}`)];
    });
    const former = model.rolesBySlug.get(role.slug)?.resourceType;
    return [...typeIssues(field, role.resource_type_slug, former, parents), ...held];
  });
  const chosen = roles.find(({ slug }) => slug === defaultRole);
  if (chosen?.resource_type_slug !== ORGANIZATION_TYPE) {
    issues.push(issue('default_role', `names no role of the document for organizations: ${defaultRole}`));
  }
  if (!roles.some(({ slug }) => slug === MEMBER_ROLE))
    issues.push(issue('roles', `lack ${MEMBER_ROLE}, which is always there`));
  return issues;
}
