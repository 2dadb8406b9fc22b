import type { ConcernedCall } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { mergeReadings, pageWithin } from '../../../kernel/storage/reading.ts';
import { searchIds } from '../../../kernel/storage/search.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { readDomain } from '../../../kernel/address.ts';
import { findOrganizationSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { organizationWithDomain } from '../../../tenancy/organizations/public.ts';
import { type ConnectionRecord, connections } from './entity.ts';
import { findSocialConnection, type SocialConnection, socialConnections } from './social.ts';

/** The organization of the connection that a path names, for grants. */
export const findConnectionOwner = async ({ environmentId, params }: ConcernedCall): Promise<string | undefined> =>
  (await connections.get(environmentId, params.connectionId ?? params.id ?? ''))?.organizationId;

/** A connection of an organization, or a social provider as a connection. */
export type AnyConnection = ConnectionRecord | SocialConnection;

/** Reports whether a connection is a social provider's. */
export const isSocial = (connection: AnyConnection): connection is SocialConnection => connection.protocol === 'oauth';

/** Finds a connection by its id, by one GetItem, and one more for the id of a social provider. */
export async function findConnection(environmentId: string, id: string): Promise<AnyConnection | undefined> {
  return (await connections.get(environmentId, id)) ?? findSocialConnection(environmentId, id);
}

/** The filters of a list. */
export interface ConnectionFilter {
  /** The type in the spelling of records. */
  type?: string | undefined;
  domain?: string | undefined;
  organizationId?: string | undefined;
  search?: string | undefined;
}

/**
 * The connections of a page. Unfiltered, or by type: one Query. By organization or domain: one or two GetItems, then a
 * BatchGetItem; by name: the search rows, then a BatchGetItem.
 */
export async function listConnections(
  environmentId: string,
  filter: ConnectionFilter,
  window: Window,
): Promise<Reading<AnyConnection>> {
  const { type, domain, organizationId, search } = filter;
  const isOf = (one: AnyConnection): boolean => type === undefined || one.type === type;
  if (domain === undefined && organizationId === undefined && search === undefined) {
    const [own, social] = await awaitAll([
      type === undefined
        ? connections.list('byCreation', { environmentId }).toPage(window)
        : connections.list('byType', { environmentId, type }).toPage(window),
      socialConnections(environmentId),
    ]);
    return mergeReadings<AnyConnection>([own, pageWithin(social.filter(isOf), window)], window.scan);
  }
  const lists = await awaitAll([
    organizationId === undefined ? undefined : idsOfOrganization(environmentId, organizationId),
    domain === undefined ? undefined : idsOfDomain(environmentId, domain),
    search === undefined ? undefined : searchIds(environmentId, 'connection', search),
  ]);
  const [first = [], ...others] = lists.filter((ids) => ids !== undefined);
  const ids = first.filter((id) => others.every((list) => list.includes(id)));
  const found = await connections.getMany(environmentId, ids);
  return pageWithin(found.filter(isOf), window);
}

async function idsOfOrganization(environmentId: string, organizationId: string): Promise<string[]> {
  return (await findOrganizationSso(environmentId, organizationId)).connections.map(({ id }) => id);
}

async function idsOfDomain(environmentId: string, domain: string): Promise<string[]> {
  const name = readDomain(`@${domain}`);
  const organizationId = name === undefined ? undefined : await organizationWithDomain(environmentId, name);
  return organizationId === undefined ? [] : idsOfOrganization(environmentId, organizationId);
}
