/**
 * A simple evaluator, which follows parents and has no rows, predictions or batches. Its results are compared with those of
 * the service.
 */
export interface Tree {
  /** Resources by their ids. */
  resources: Map<string, { type: string; parent: string | undefined }>;
  /** Permissions of roles by their slugs. */
  roles: Map<string, { type: string; permissions: Set<string> }>;
  /** Roles of holders, which are members and groups, on resources; on the organization if the resource is undefined. */
  grants: { holder: string; role: string; resource: string | undefined }[];
  members: Map<string, { isActive: boolean; groups: Set<string> }>;
  /** Slugs of the organization's roles if a member has one of them, the highest priority first; absent if all count. */
  priority?: readonly string[];
}

/** Resources from one up to the top; undefined if one of them was deleted. */
function makeChain({ resources }: Tree, id: string): string[] | undefined {
  const chain: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = resources.get(at)?.parent) {
    if (!resources.has(at)) return undefined;
    chain.push(at);
  }
  return chain;
}

/** Reports whether a role that a member or one of its groups has on some resources includes a permission. */
function isGranted(tree: Tree, member: string, permission: string, on: readonly (string | undefined)[]): boolean {
  const holders = new Set([member, ...(tree.members.get(member)?.groups ?? [])]);
  const held = tree.grants.filter(({ holder, resource }) => holders.has(holder) && on.includes(resource));
  const atOrganization = held.filter(({ resource }) => resource === undefined).map(({ role }) => role);
  const first = tree.priority?.find((role) => atOrganization.includes(role));
  return held.some(
    ({ role, resource }) =>
      (resource !== undefined || tree.priority === undefined || role === first) &&
      tree.roles.get(role)?.permissions.has(permission) === true,
  );
}

/** Reports whether a member has a permission on a resource; undefined if the resource does not exist. */
export function isAllowed(tree: Tree, member: string, permission: string, resource: string): boolean | undefined {
  const chain = makeChain(tree, resource);
  if (chain === undefined) return undefined;
  return tree.members.get(member)?.isActive === true && isGranted(tree, member, permission, [...chain, undefined]);
}

/** The members who have a permission by a role on the resource itself. */
export const directMembers = (tree: Tree, permission: string, resource: string): string[] =>
  [...tree.members].flatMap(([id, { isActive }]) =>
    isActive && isGranted(tree, id, permission, [resource]) ? [id] : [],
  );

/** A resource with all resources below it. */
export function findSubtree({ resources }: Tree, id: string): string[] {
  const below = [...resources].filter(([, { parent }]) => parent === id).map(([child]) => child);
  return [id, ...below.flatMap((child) => findSubtree({ resources } as Tree, child))];
}
