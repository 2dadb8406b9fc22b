import { awaitAll } from '../../../kernel/concurrency.ts';
import { fitsKey } from '../../../kernel/storage/collection.ts';
import { findOrganization, type OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { places, resources, type ResourceRecord } from './entity.ts';
import { notedResource, noteResource } from './notes.ts';
import { ORGANIZATION_TYPE, organizationIdOfResource, resourceIdOfOrganization } from './rules.ts';
import type { Named, ResourceView } from './schema.ts';

/** An organization's own resource. */
export const organizationResource = (environmentId: string, organization: OrganizationSummary): ResourceView => ({
  environmentId,
  id: resourceIdOfOrganization(organization.id),
  organizationId: organization.id,
  typeSlug: ORGANIZATION_TYPE,
  externalId: organization.id,
  name: organization.name,
  ancestors: [],
  createdAt: organization.createdAt,
  updatedAt: organization.presented.updated_at,
});

/** The row at an organization's type and external id: one strongly consistent GetItem. */
export async function findByExternalId(
  environmentId: string,
  organizationId: string,
  typeSlug: string,
  externalId: string,
): Promise<ResourceRecord | undefined> {
  if (![organizationId, typeSlug, externalId].every(fitsKey)) return undefined;
  // Keys consist of these parts and a separator, so only the last part may be any text.
  if (organizationId.includes('#') || typeSlug.includes('#')) return undefined;
  return places.getAt({ environmentId, organizationId, typeSlug, externalId });
}

/** An existing resource: its row is absent if it is an organization's own. */
export interface FoundResource {
  view: ResourceView;
  record?: ResourceRecord;
}

/**
 * Finds a resource by its id. It takes one wave of strongly consistent GetItems if this instance has seen the resource or
 * it is an organization's own, otherwise two. A resource no longer exists after its organization was deleted, although its
 * rows are erased later.
 */
export async function findResource(environmentId: string, id: string): Promise<FoundResource | undefined> {
  const noted = notedResource(environmentId, id)?.organizationId;
  const own = noted === undefined ? organizationIdOfResource(id) : undefined;
  const [record, home] = await awaitAll([
    resources.get(environmentId, id),
    (noted ?? own) === undefined ? undefined : findOrganization(environmentId, noted ?? own ?? ''),
  ]);
  if (record === undefined) {
    return own === undefined || home === undefined ? undefined : { view: organizationResource(environmentId, home) };
  }
  noteResource(record);
  const organization =
    noted === record.organizationId ? home : await findOrganization(environmentId, record.organizationId);
  return organization && { view: record, record };
}

/** Finds a resource by its external id and type, by two strongly consistent GetItems in parallel. */
export async function findResourceByExternalId(
  environmentId: string,
  organizationId: string,
  typeSlug: string,
  externalId: string,
): Promise<FoundResource | undefined> {
  const isOrganization = typeSlug === ORGANIZATION_TYPE;
  if (isOrganization && externalId !== organizationId) return undefined;
  const [organization, record] = await awaitAll([
    findOrganization(environmentId, organizationId),
    isOrganization ? undefined : findByExternalId(environmentId, organizationId, typeSlug, externalId),
  ]);
  if (organization === undefined) return undefined;
  if (isOrganization) return { view: organizationResource(environmentId, organization) };
  if (record === undefined) return undefined;
  noteResource(record);
  return { view: record, record };
}

/** Finds a resource of an organization by either identifier; undefined for a resource of another organization. */
export async function findNamed(
  environmentId: string,
  organizationId: string,
  named: Named,
): Promise<FoundResource | undefined> {
  const { resource_id: id, resource_external_id: externalId = '', resource_type_slug: typeSlug = '' } = named;
  if (id === undefined || id === null)
    return findResourceByExternalId(environmentId, organizationId, typeSlug, externalId);
  const found = await findResource(environmentId, id);
  return found?.view.organizationId === organizationId ? found : undefined;
}
