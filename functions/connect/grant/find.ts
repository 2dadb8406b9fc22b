import { awaitAll } from '../../kernel/concurrency.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import { findMembership } from '../../memberships/public.ts';
import { findUser, type UserRecord } from '../../users/public.ts';
import { type ConsentRecord, findConsent, isOwnConsent } from '../consent/entity.ts';
import { type GrantRecord, grants } from './entity.ts';
import type { GrantReference } from './reference.ts';

/** The rows that decide whether a grant is valid. */
export interface GrantRows {
  grant: GrantRecord;
  consent: ConsentRecord | undefined;
  user: UserRecord | undefined;
  isMember: boolean;
}

/** Reads all rows that a reference names: one BatchGetItem and a GetItem, in parallel. Undefined if it names no grant. */
export async function findGrantRows(
  environmentId: string,
  { userId, grantId, consentId, organizationId }: Omit<GrantReference, 'secret'>,
): Promise<GrantRows | undefined> {
  const [grant, consent, user, membership] = await awaitAll([
    grants.get(environmentId, grantId, { userId }),
    findConsent(environmentId, userId, consentId),
    findUser(environmentId, userId),
    organizationId === undefined ? undefined : findMembership(environmentId, userId, organizationId),
  ]);
  // A client can alter the names in the reference, so they are compared with those in the grant's row.
  if (grant?.consentId !== consentId || grant.organizationId !== organizationId) return undefined;
  return { grant, consent, user, isMember: organizationId === undefined || membership?.status === 'active' };
}

/**
 * Reports whether a grant belongs to an application. An application with a metadata document has the same id after it was
 * deleted and created again; the grants from before its deletion do not belong to it.
 */
export const isGrantOf = (application: ApplicationRecord, grant: GrantRecord): boolean =>
  grant.applicationId === application.id && grant.createdAt >= application.createdAt;

/** A grant whose user, consent and membership exist now. */
export interface ValidGrant {
  grant: GrantRecord;
  consent: ConsentRecord;
  user: UserRecord;
}

/**
 * Returns the grant if the user, the consent (given by the current owner of the account) and the active membership exist. It
 * does not check whether the grant itself has ended.
 */
export function checkRows({ grant, consent, user, isMember }: GrantRows): ValidGrant | undefined {
  if (consent === undefined || user === undefined || !isMember || !isOwnConsent(consent, user)) return undefined;
  return { grant, consent, user };
}
