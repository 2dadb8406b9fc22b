import { awaitAll } from '../../../../kernel/concurrency.ts';
import { fitsKey } from '../../../../kernel/storage/collection.ts';
import { mergeReadings, pageWithin } from '../../../../kernel/storage/reading.ts';
import type { Window } from '../../../../kernel/storage/window.ts';
import type { Reading } from '../../../../kernel/storage/range.ts';
import { findUsersById, type UserRecord } from '../../users/public.ts';
import { organizationMemberships, type OrganizationMembershipRecord, places } from './entity.ts';

/** The membership of a user in an organization, whatever its status, by one strongly consistent GetItem. */
export async function findMembership(
  environmentId: string,
  userId: string,
  organizationId: string,
): Promise<OrganizationMembershipRecord | undefined> {
  if (![userId, organizationId].every(fitsKey)) return undefined;
  return places.getAt({ environmentId, userId, organizationId });
}

/** A membership by its own id, by one strongly consistent GetItem. */
export const findMembershipById = (
  environmentId: string,
  id: string,
): Promise<OrganizationMembershipRecord | undefined> => organizationMemberships.get(environmentId, id);

/** Reads the memberships with these ids that exist, in the order of the ids, by one BatchGetItem for each hundred. */
export const findMembershipsById = (
  environmentId: string,
  ids: readonly string[],
): Promise<OrganizationMembershipRecord[]> => organizationMemberships.getMany(environmentId, ids);

/**
 * A user's memberships, whatever their status, in the order of their organizations' ids. They are strongly consistent: one
 * Query, and one more for each further megabyte (some 2,000 memberships).
 */
export async function findUserMemberships(
  environmentId: string,
  userId: string,
): Promise<OrganizationMembershipRecord[]> {
  if (!fitsKey(userId)) return [];
  return places.list('primary', { environmentId, userId }).toArray();
}

/** The filter of a list of memberships. */
export interface MembershipFilter {
  userId?: string | undefined;
  organizationId?: string | undefined;
  statuses: readonly OrganizationMembershipRecord['status'][];
}

/**
 * The memberships of a page. For a user they are read from the user's own partition, strongly consistent; for an
 * organization by one Query for each status, in parallel, eventually consistent; for both by one GetItem.
 */
export async function findMemberships(
  environmentId: string,
  { userId, organizationId, statuses }: MembershipFilter,
  window: Window,
): Promise<Reading<OrganizationMembershipRecord>> {
  const { records, ...rest } =
    userId === undefined
      ? await ofOrganization(environmentId, organizationId ?? '', statuses, window)
      : pageWithin(await ofUser(environmentId, userId, organizationId), { ...window, limit: Infinity });
  const matching = new Map(
    records.filter(({ status }) => statuses.includes(status)).map((record) => [record.id, record]),
  );
  return { records: [...matching.values()], ...rest };
}

async function ofUser(
  environmentId: string,
  userId: string,
  organizationId: string | undefined,
): Promise<OrganizationMembershipRecord[]> {
  if (organizationId === undefined) return findUserMemberships(environmentId, userId);
  const record = await findMembership(environmentId, userId, organizationId);
  return record === undefined ? [] : [record];
}

async function ofOrganization(
  environmentId: string,
  organizationId: string,
  statuses: readonly string[],
  window: Window,
): Promise<Reading<OrganizationMembershipRecord>> {
  const lists = await awaitAll(
    statuses.map((status) =>
      organizationMemberships.list('byOrganization', { environmentId, organizationId, status }).toPage(window),
    ),
  );
  return mergeReadings(lists, window.scan);
}

/**
 * A page of an organization's users, by their own ids and whatever the status of their memberships: one Query of the index,
 * which lags by moments, then one BatchGetItem. A deleted user makes the page shorter.
 */
export async function usersOfOrganization(
  environmentId: string,
  organizationId: string,
  window: Window,
): Promise<Reading<UserRecord>> {
  if (![organizationId, window.after ?? organizationId].every(fitsKey)) return { records: [] };
  const { records: found, ...rest } = await places
    .list('byOrganization', { environmentId, organizationId })
    .toPage(window);
  const ids = found.map(({ userId }) => userId);
  return { records: await findUsersById(environmentId, ids), ...rest };
}
