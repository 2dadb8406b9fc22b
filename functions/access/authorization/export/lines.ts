import { exportFlags, exportTargets } from '../../feature-flags/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import {
  loadModel,
  type Model,
  ORGANIZATION_TYPE,
  type ResourceType,
  type Role,
} from '../../../tenancy/roles/public.ts';
import { typesInOrder } from './rules.ts';
import { fixedSection, type Section } from './sections.ts';

/** A line of an import file. */
export type Line = Record<string, unknown>;

/** The members that every kind of role has. */
export const ofRole = (role: Role): Line => ({
  id: role.id,
  slug: role.slug,
  name: role.name,
  description: role.description ?? null,
  resource_type_slug: role.resourceType,
  permissions: [...role.permissions],
});

/** Resource types that can be created again: without the built-in type and those that are being removed. */
export const listTypes = (model: Pick<Model, 'types'>): ResourceType[] =>
  typesInOrder(model.types).filter(({ slug, isLeaving }) => slug !== ORGANIZATION_TYPE && !isLeaving);

/** The sections of an environment's lines: its model, in an order in which it can be imported, and its feature flags. */
export async function environmentSections(environmentId: string): Promise<Section<Line>[]> {
  const [model, flags] = await awaitAll([loadModel(environmentId), exportFlags(environmentId)]);
  const permissions = [...model.permissions.values()].filter(({ isSystem }) => !isSystem);
  const roles = [...model.roles.values()];
  const order = {
    object: 'role_order',
    role_slugs: roles.map(({ slug }) => slug),
    default_role: model.defaultRole.slug,
  };
  return [
    fixedSection(
      'resource_type',
      listTypes(model).map(({ slug, name, description = null, parents }) => ({
        id: slug,
        slug,
        name,
        description,
        parents,
      })),
      async ({ slug, name, description, parents }) => [
        { object: 'resource_type', slug, name, description, parents: [...parents] },
      ],
    ),
    fixedSection('permission', permissions, async ({ id, slug, name, description = null, resourceType }) => [
      { object: 'permission', id, slug, name, description, resource_type_slug: resourceType },
    ]),
    fixedSection('role', roles, async (role) => [{ object: 'role', ...ofRole(role) }]),
    fixedSection('role_order', [{ id: 'order' }], async () => [order]),
    fixedSection('feature_flag', flags, async (flag) => [flag]),
    fixedSection('feature_flag_target', flags, (flag) => exportTargets(environmentId, flag) as Promise<Line[]>),
  ];
}
