import { awaitAll } from '../../../kernel/concurrency.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import {
  findOrganizationSso,
  type OrganizationSso,
  ungoverned,
} from '../../../tenancy/modules/organization-sso/public.ts';
import { askEntry } from '../../../sign-in/modules/sign-in/public.ts';
import type { Authority, Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { type ConsentRecord, findConsent, isOwnConsent } from '../consent/entity.ts';
import { type GrantRecord, grants } from './entity.ts';
import type { GrantReference } from './reference.ts';

/** The rows that decide whether a grant is valid. */
export interface GrantRows {
  grant: GrantRecord;
  consent: ConsentRecord | undefined;
  user: UserRecord | undefined;
  isMember: boolean;
  /** The connections and the policy of the organization, if they were read. */
  sso: OrganizationSso | undefined;
}

/** Reads all rows that a reference names: one BatchGetItem and a GetItem, in parallel; for a code
 * one GetItem more, for the policy of its organization. Undefined if it names no grant. */
export async function findGrantRows(
  environmentId: string,
  { userId, grantId, consentId, organizationId }: Omit<GrantReference, 'secret'>,
  { isForCode = false } = {},
): Promise<GrantRows | undefined> {
  const [grant, consent, user, membership, sso] = await awaitAll([
    grants.get(environmentId, grantId, { userId }),
    findConsent(environmentId, userId, consentId),
    findUser(environmentId, userId),
    organizationId === undefined ? undefined : findMembership(environmentId, userId, organizationId),
    isForCode && organizationId !== undefined ? findOrganizationSso(environmentId, organizationId) : undefined,
  ]);
  // A client can alter the names in the reference, so they are compared with those in the grant's row.
  if (grant?.consentId !== consentId || grant.organizationId !== organizationId) return undefined;
  const isMember = organizationId === undefined || membership?.status === 'active';
  return { grant, consent, user, isMember, sso };
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

/** A grant for which tokens may be issued. */
export interface AdmittedGrant extends ValidGrant {
  verdict: Verdict<Entry>;
}

/**
 * Returns the grant if it is valid, and if the proofs of its sign-in are still sufficient for its organization. A grant stays in its
 * organization, so a refresh is not asked for that organization's single sign-on again; it is asked for a factor that is required now.
 * @param isRenewal true for a refresh, false for a code
 */
export async function admitGrant(rows: GrantRows, isRenewal: boolean): Promise<AdmittedGrant | undefined> {
  const valid = checkRows(rows);
  if (valid === undefined) return undefined;
  const { user, grant } = valid;
  const authority = (grant.proofs as Authority | undefined) ?? [];
  const { organizationId } = grant;
  const sso = isRenewal && organizationId !== undefined ? ungoverned(organizationId) : rows.sso;
  const verdict = await askEntry({ user, authority, organizationId, isMember: true, sso, isRenewal });
  return verdict.isAllowed ? { ...valid, verdict } : undefined;
}
