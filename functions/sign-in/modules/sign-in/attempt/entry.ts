import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { signInSettings } from '../../../../proofs/modules/email-proofs/public.ts';
import {
  activeConnections,
  findOrganizationSso,
  type OrganizationSso,
  readRequirement,
  type RequiredSso,
} from '../../../../tenancy/modules/organization-sso/public.ts';
import { asksSecondFactor, type Method } from '../../../../proofs/modules/sign-in-checks/public.ts';
import {
  type AccountChange,
  type Authority,
  type Entry,
  may,
  organizationWord,
  type Denial,
  type DenialReason,
  speaks,
  type Verdict,
} from '../../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import type { RejectedSignIn } from './attempt.ts';
import { findFactorHash } from './factor.ts';
import { usableFactors } from './prefetch.ts';
import { findCovering } from './authority.ts';

/** A person who enters an organization, or none. */
export interface Entering {
  user: UserRecord;
  authority: Authority;
  organizationId: string | undefined;
  /** True if the person is an active member of the organization. */
  isMember: boolean;
  /** The connections and the policy of the organization, if they were read already. */
  sso?: OrganizationSso | undefined;
  /** The only organization that an operator named. */
  named?: string | undefined;
  /** True if what an earlier sign-in gave is renewed: a factor that is required now has to be enrolled first. */
  isRenewal?: boolean;
}

/** A denied entry, with the connections through which the missing proof can be given. */
export interface DeniedEntry {
  isAllowed: false;
  reason: DenialReason;
  required?: RequiredSso | undefined;
}

/**
 * Asks whether what was proved is sufficient for an organization. A person's own proof costs one GetItem, for the policy of the
 * organization; the word of another organization costs up to three reads more.
 */
export async function askEntry({
  user,
  authority,
  organizationId,
  isMember,
  named,
  isRenewal = false,
  ...read
}: Entering): Promise<Verdict<Entry> | DeniedEntry> {
  const { environmentId } = user;
  const isOwn =
    speaks(authority, 'environment') ||
    (organizationId !== undefined && speaks(authority, organizationWord(organizationId)));
  const [sso, covering] = await awaitAll([
    organizationId === undefined ? undefined : (read.sso ?? findOrganizationSso(environmentId, organizationId)),
    isOwn ? [] : findCovering(authority, user),
  ]);
  const required = readRequirement(sso);
  const connections = sso === undefined ? [] : activeConnections(sso);
  const verdict = may(authority, {
    act: 'enter',
    organizationId,
    isMember,
    requiresSso: required !== undefined,
    hasConnection: connections.length > 0,
    asksFactor: covering.length > 0 && (await asksFactor(user)),
    lacksFactor: isRenewal && (await lacksFactor(user, authority)),
    covering,
    named,
  });
  if (verdict.isAllowed) return verdict;
  const usable = organizationId === undefined ? undefined : { organizationId, connections };
  return { ...verdict, ...(verdict.reason === 'sso_required' && { required: required ?? usable }) };
}

/**
 * Asks whether what was proved is sufficient for the account itself: its credentials, factors, names and end. The word of an
 * organization costs one BatchGetItem.
 */
export const askAccountChange = async (
  authority: Authority,
  user: UserRecord,
): Promise<Verdict<AccountChange> | Denial> =>
  may(authority, { act: 'change_account', covering: await findCovering(authority, user) });

/** Reports whether a sign-in by a method of the environment would ask the user for a second factor. */
async function asksFactor(user: UserRecord): Promise<boolean> {
  const { mfa } = await findSettings(user.environmentId, signInSettings);
  return mfa === 'required' || (mfa === 'optional' && (await findFactorHash(user)) !== undefined);
}

/** Reports whether the environment requires a second factor after the person's own proofs, and the person has none. */
async function lacksFactor({ environmentId, id }: UserRecord, authority: Authority): Promise<boolean> {
  const isOwn = authority.some(({ method, word }) => word === 'environment' && asksSecondFactor(method as Method));
  const { mfa } = await findSettings(environmentId, signInSettings);
  return isOwn && mfa === 'required' && (await usableFactors(environmentId, id)).length === 0;
}

/** A denied entry as the end of a sign-in. */
export function rejectEntry({ reason, required }: DeniedEntry): RejectedSignIn {
  if (reason === 'sso_required' && required !== undefined) return { kind: 'rejected', code: reason, required };
  if (reason === 'mfa_enrollment') return { kind: 'rejected', code: reason };
  if (reason === 'not_a_member') return { kind: 'rejected', code: 'organization_membership_not_found' };
  return { kind: 'rejected', code: 'authentication_method_not_allowed' };
}
