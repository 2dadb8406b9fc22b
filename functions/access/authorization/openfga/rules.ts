import type { Model, OrganizationRoles, Role } from '../../../tenancy/roles/public.ts';
import { typesInOrder } from '../export/rules.ts';
import { ORGANIZATION_TYPE } from '../resource/rules.ts';

/** The types of members and groups in an OpenFGA model. */
export const MEMBER_TYPE = 'organization_membership';
export const GROUP_TYPE = 'group';
/** The relation of a group to its members, and of a resource to its parent. */
export const MEMBER_RELATION = 'member';
export const PARENT_RELATION = 'parent';

/** Maximum characters of a relation in OpenFGA. */
const MAX_RELATION = 50;

/** Names that OpenFGA reserves, and the types of members and groups: resource types with these slugs get another name. */
const TAKEN: ReadonlySet<string> = new Set([MEMBER_TYPE, GROUP_TYPE, 'self', 'this']);

/** The name of a resource type in an OpenFGA model: its slug. No slug has a dot, so the names of others are unique. */
export const fgaType = (slug: string): string => (TAKEN.has(slug) ? `${slug}.resource` : slug);

/** A resource in OpenFGA: its type and its id, also for an organization's own. */
export const fgaResource = (typeSlug: string, id: string): string => `${fgaType(typeSlug)}:${id}`;

/** The part of a model that the export reads. */
export interface ModelPart {
  types: Model['types'];
  permissions: Pick<Model['permissions'], 'values'>;
  /** The roles by id: the environment's, and those of an organization if one is exported. */
  roles: ReadonlyMap<string, Role>;
}

export const partOf = ({ model, roles }: Pick<OrganizationRoles, 'model' | 'roles'>): ModelPart => ({
  types: model.types,
  permissions: model.permissions,
  roles,
});

/** The relations of an OpenFGA model by the ids of roles and permissions. */
export interface Relations {
  roles: ReadonlyMap<string, string>;
  permissions: ReadonlyMap<string, string>;
}

/**
 * The relations of roles and permissions. A role of the environment is `role_<slug>` and a permission `can_<slug>`, with
 * `_` for characters that OpenFGA does not accept. Roles of an organization, names that are too long, and names that two
 * permissions would share are replaced by ids.
 */
export function listRelations({ permissions, roles }: ModelPart): Relations {
  const plain = [...permissions.values()].map(({ id, slug }) => [id, `can_${slug.replaceAll(/[^a-z0-9_-]/g, '_')}`]);
  const counts = new Map<string, number>();
  for (const [, name = ''] of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isUsable = (name: string): boolean => name.length <= MAX_RELATION && (counts.get(name) ?? 0) < 2;
  return {
    permissions: new Map(plain.map(([id = '', name = '']) => [id, isUsable(name) ? name : id])),
    roles: new Map(
      [...roles.values()].map(({ id, slug, kind }) => {
        const name = `role_${slug}`;
        return [id, kind === 'EnvironmentRole' && name.length <= MAX_RELATION ? name : id];
      }),
    ),
  };
}

/** The way in which a relation follows from others, as in "type definitions" of OpenFGA's model schema 1.1. */
type Userset =
  | { this: Record<string, never> }
  | { computedUserset: { relation: string } }
  | { tupleToUserset: { tupleset: { relation: string }; computedUserset: { relation: string } } }
  | { union: { child: Userset[] } };

interface UserType {
  type: string;
  relation?: string;
}

/** A type of an OpenFGA model. */
export interface TypeDefinition {
  type: string;
  relations: Record<string, Userset>;
  metadata: { relations: Record<string, { directly_related_user_types: UserType[] }> };
}

const HOLDERS: UserType[] = [{ type: MEMBER_TYPE }, { type: GROUP_TYPE, relation: MEMBER_RELATION }];

/**
 * The types of an OpenFGA model that results in the same decisions as this service. A role is a relation of the resources
 * of its type, and a permission is a relation that follows from the roles that include it and from the parent's permission.
 * A type has the relation of a permission only if some role gives it there; for other types the decision is a denial.
 */
export function typeDefinitions(part: ModelPart): TypeDefinition[] {
  const relations = listRelations(part);
  const granted = new Map<string, Set<string>>();
  const ofResources = typesInOrder(part.types).map(({ slug, parents }): TypeDefinition => {
    const roles = [...part.roles.values()].filter(({ resourceType }) => resourceType === slug);
    const inherited = new Set(parents.flatMap((parent) => [...(granted.get(parent) ?? [])]));
    const own = new Set(roles.flatMap(({ permissionIds }) => [...permissionIds]));
    granted.set(slug, new Set([...inherited, ...own]));
    const definition: TypeDefinition = { type: fgaType(slug), relations: {}, metadata: { relations: {} } };
    const addDirect = (name: string, types: UserType[]): void => {
      definition.relations[name] = { this: {} };
      definition.metadata.relations[name] = { directly_related_user_types: types };
    };
    if (slug !== ORGANIZATION_TYPE)
      addDirect(
        PARENT_RELATION,
        parents.map((parent) => ({ type: fgaType(parent) })),
      );
    for (const { id } of roles) addDirect(relations.roles.get(id) ?? id, HOLDERS);
    for (const { id } of part.permissions.values()) {
      const relation = relations.permissions.get(id) ?? id;
      const sources = roles
        .filter(({ permissionIds }) => permissionIds.has(id))
        .map((role): Userset => ({ computedUserset: { relation: relations.roles.get(role.id) ?? role.id } }));
      if (inherited.has(id)) {
        const computedUserset = { relation };
        sources.push({ tupleToUserset: { tupleset: { relation: PARENT_RELATION }, computedUserset } });
      }
      const [first] = sources;
      if (first === undefined) continue;
      definition.relations[relation] = sources.length === 1 ? first : { union: { child: sources } };
    }
    return definition;
  });
  return [
    { type: MEMBER_TYPE, relations: {}, metadata: { relations: {} } },
    {
      type: GROUP_TYPE,
      relations: { [MEMBER_RELATION]: { this: {} } },
      metadata: { relations: { [MEMBER_RELATION]: { directly_related_user_types: [{ type: MEMBER_TYPE }] } } },
    },
    ...ofResources,
  ];
}
