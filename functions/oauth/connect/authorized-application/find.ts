import { loadAudiences } from '../../../tenancy/modules/client-settings/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { findUsersById, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { type ApplicationRecord, applications, isLiveApplication } from '../application/entity.ts';
import {
  type ConsentRecord,
  consents,
  consentsOfUser,
  isForResource,
  isLiveConsent,
  isOwnConsent,
} from '../consent/entity.ts';

/** A consent with its application. */
export interface AuthorizedApplication {
  id: string;
  consent: ConsentRecord;
  application: ApplicationRecord;
}

/**
 * Returns those of some consents that are valid: the application exists, and the resource is registered. It takes one
 * BatchGetItem and one Query, in parallel.
 */
async function withApplications(
  environmentId: string,
  given: readonly ConsentRecord[],
): Promise<AuthorizedApplication[]> {
  if (given.length === 0) return [];
  const ids = [...new Set(given.map(({ applicationId }) => applicationId))];
  const [found, audiences] = await awaitAll([applications.getMany(environmentId, ids), loadAudiences(environmentId)]);
  const byId = new Map(found.filter(isLiveApplication).map((application) => [application.id, application]));
  return given.flatMap((consent) => {
    const application = byId.get(consent.applicationId);
    return application === undefined || !isForResource(consent, audiences)
      ? []
      : [{ id: consent.id, consent, application }];
  });
}

/** The applications on a page that a user has authorized, in two round trips, strongly consistent. */
export async function authorizedByUser(
  environmentId: string,
  user: UserRecord,
  window: Window,
): Promise<Reading<AuthorizedApplication>> {
  const given = (await consentsOfUser(environmentId, user.id)).filter((consent) => isOwnConsent(consent, user));
  return pageWithin(await withApplications(environmentId, given), window);
}

/**
 * The applications on a page that members have authorized within an organization: one Query of an index, then reads of the
 * applications and users. A page can be shorter than the limit if some consents are no longer valid.
 */
export async function authorizedInOrganization(
  environmentId: string,
  organizationId: string,
  window: Window,
): Promise<Reading<AuthorizedApplication>> {
  const list = consents.list('byOrganization', { environmentId, organizationId });
  const { records: listed, ...rest } = await list.toPage(window);
  const [users, authorized] = await awaitAll([
    findUsersById(
      environmentId,
      listed.map(({ userId }) => userId),
    ),
    withApplications(environmentId, listed.filter(isLiveConsent)),
  ]);
  const byId = new Map(users.map((user) => [user.id, user]));
  const records = authorized.filter(({ consent }) => {
    const user = byId.get(consent.userId);
    return user !== undefined && isOwnConsent(consent, user);
  });
  return { records, ...rest };
}
