import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { mergeReadings, pageWithin } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import {
  findOrganization,
  listOrganizations,
  type OrganizationSummary,
} from '../../../tenancy/organizations/public.ts';
import { children, places, resources, type ResourceRecord } from './entity.ts';
import { findNamed, findResource, findResourceByExternalId, organizationResource } from './find.ts';
import { ORGANIZATION_TYPE, organizationIdOfResource, resourceIdOfOrganization } from './rules.ts';
import type { ResourceView } from './schema.ts';

/** The filter of a list of resources. */
export interface ResourceFilter {
  organization_id?: string | undefined;
  resource_type_slug?: string | undefined;
  resource_external_id?: string | undefined;
  parent_resource_id?: string | undefined;
  parent_resource_type_slug?: string | undefined;
  parent_external_id?: string | undefined;
}

const NONE: Reading<never> = { records: [] };

/** The bounds between which all ids of resources sort. */
const [FIRST, LAST] = ['authz_resource_', 'authz_resource_~'];

/** The children of a resource that have one type, by one strongly consistent Query of the parent's partition. */
export async function findChildren(
  environmentId: string,
  parentId: string,
  typeSlug: string,
  { scan, after, limit }: Window,
): Promise<Reading<ResourceRecord>> {
  // The bound itself is excluded: the Query reads it too, and it is left out here.
  const from = { typeSlug, id: scan === 'asc' ? (after ?? FIRST) : FIRST };
  const to = { typeSlug, id: scan === 'asc' ? LAST : (after ?? LAST) };
  const query = children.entity().query.primary({ environmentId, parentId }).between(from, to);
  const page = await children.select('primary', query).toPage({ scan, limit: limit + 1 });
  return { ...page, records: page.records.filter(({ id }) => id !== after) };
}

/** Up to a number of children of a resource, of any type, by one strongly consistent Query. */
export const anyChildren = (environmentId: string, parentId: string, limit: number): Promise<ResourceRecord[]> =>
  children.list('primary', { environmentId, parentId }).take(limit);

/**
 * The resources of a page. Below a parent it takes one strongly consistent Query for each type of the children. For an
 * organization or a type it takes one Query of an index, which is eventually consistent. For an external id it takes one
 * read for each possible type.
 * @param types the slugs of the model's types
 */
export async function listResources(
  environmentId: string,
  filter: ResourceFilter,
  types: readonly string[],
  window: Window,
): Promise<Reading<ResourceView>> {
  const { organization_id: organizationId, resource_type_slug: typeSlug } = filter;
  if ([organizationId, typeSlug].some((part) => part?.includes('#') === true)) return NONE;
  if (typeSlug !== undefined && !types.includes(typeSlug)) return NONE;
  const isThere = organizationId === undefined || findOrganization(environmentId, organizationId);
  const [found, organization] = await awaitAll([findListed(environmentId, filter, types, window), isThere]);
  return organization === undefined ? NONE : found;
}

async function findListed(
  environmentId: string,
  filter: ResourceFilter,
  types: readonly string[],
  window: Window,
): Promise<Reading<ResourceView>> {
  const { organization_id: organizationId, resource_type_slug: typeSlug, resource_external_id: externalId } = filter;
  const parent = await findParent(environmentId, filter);
  if (parent === null) return NONE;
  const wanted = typeSlug === undefined ? types : [typeSlug];
  if (externalId !== undefined) return withExternalId(environmentId, filter, wanted, parent, window);
  if (parent !== undefined) {
    const lists = await awaitAll(wanted.map((type) => findChildren(environmentId, parent.id, type, window)));
    return mergeReadings(lists, window.scan);
  }
  if (typeSlug === ORGANIZATION_TYPE) return ofOrganizations(environmentId, organizationId, window);
  if (organizationId === undefined)
    return places.list('byType', { environmentId, typeSlug: typeSlug ?? '' }).toPage(window);
  return typeSlug === undefined
    ? resources.list('byOrganization', { environmentId, organizationId }).toPage(window)
    : resources.list('byType', { environmentId, organizationId, typeSlug }).toPage(window);
}

/**
 * The parent by which a list is filtered; undefined if there is none, null if it does not exist or belongs to another
 * organization.
 */
async function findParent(environmentId: string, filter: ResourceFilter): Promise<ResourceView | undefined | null> {
  const { parent_resource_id: id, parent_external_id: externalId, parent_resource_type_slug: typeSlug } = filter;
  if (id === undefined && externalId === undefined) return undefined;
  const found =
    id === undefined
      ? await findNamed(environmentId, filter.organization_id ?? '', {
          resource_external_id: externalId,
          resource_type_slug: typeSlug,
        })
      : await findResource(environmentId, id);
  const isOther = filter.organization_id !== undefined && found?.view.organizationId !== filter.organization_id;
  return found === undefined || isOther ? null : found.view;
}

async function withExternalId(
  environmentId: string,
  { organization_id: organizationId, resource_external_id: externalId = '' }: ResourceFilter,
  types: readonly string[],
  parent: ResourceView | undefined,
  window: Window,
): Promise<Reading<ResourceView>> {
  const organization = organizationId ?? parent?.organizationId;
  const lists = await awaitAll(
    types.map(async (typeSlug): Promise<Reading<ResourceView>> => {
      if (typeSlug !== ORGANIZATION_TYPE && organization === undefined) {
        return places.list('byExternalId', { environmentId, typeSlug, externalId }).toPage(window);
      }
      const home = organization ?? externalId;
      const found = await findResourceByExternalId(environmentId, home, typeSlug, externalId);
      return { records: found === undefined ? [] : [found.view] };
    }),
  );
  const { records, ...rest } = mergeReadings(lists, window.scan);
  const found = records.filter(({ parentId }) => parent === undefined || parentId === parent.id);
  return { ...rest, ...pageWithin(found, window) };
}

/** The organizations' own resources in the order of their creation, by one Query of an index, or that of one organization. */
async function ofOrganizations(
  environmentId: string,
  organizationId: string | undefined,
  window: Window,
): Promise<Reading<ResourceView>> {
  const { after, ...bounds } = window;
  const position = after === undefined ? undefined : organizationIdOfResource(after);
  const present = (organization: OrganizationSummary): ResourceView =>
    organizationResource(environmentId, organization);
  if (organizationId !== undefined) {
    const organization = await findOrganization(environmentId, organizationId);
    return pageWithin(organization === undefined ? [] : [present(organization)], window);
  }
  const from = { ...bounds, ...(position === undefined ? {} : { after: position }) };
  const { records, reached } = await listOrganizations(environmentId, from);
  const own = { records: records.map(present) };
  return reached === undefined ? own : { ...own, reached: resourceIdOfOrganization(reached) };
}
