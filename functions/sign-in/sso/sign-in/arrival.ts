import { findIdentities, identityHolder, type IdentityName } from '../../../proofs/modules/credentials/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import {
  findMembership,
  type OrganizationMembershipRecord,
  wasMembershipEnded,
} from '../../../tenancy/modules/memberships/public.ts';
import type { OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { SSO_PROVIDER } from '../../../tenancy/modules/organization-sso/public.ts';
import {
  type Authority,
  coversAccount,
  type Justification,
  may,
  organizationWord,
  ownsAddress,
  type DenialReason,
} from '../../../tenancy/modules/trust/public.ts';
import { findUser, getUserByEmail, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { settingsIn } from '../connection/settings.ts';
import type { ConnectionIdentity } from './identity.ts';

/** The name of an identity at a connection. An email is never a part of it. */
export const identityName = ({ id }: ConnectionRecord, { idpId }: Pick<ConnectionIdentity, 'idpId'>): IdentityName => ({
  provider: SSO_PROVIDER,
  issuer: id,
  subject: idpId,
});

/** Reports whether the provider reported a second factor that the connection accepts. */
export const showsFactor = (record: ConnectionRecord, { contexts }: ConnectionIdentity): boolean =>
  settingsIn(record).second_factor_values.some((value) => contexts.includes(value));

type Decision = ReturnType<typeof may>;

/** An identity that arrives from an organization's provider, with its user and what the organization's word may do for it. */
export interface CheckedArrival {
  /** The user who is linked to the identity, or has its address; undefined for a new one. */
  found: UserRecord | undefined;
  /** The user's membership of the organization. */
  former: OrganizationMembershipRecord | undefined;
  /** The id of the user who is linked to the identity, or was, before being deleted. */
  holder: string | undefined;
  /** True if the provider asserts an address that is at a domain of the organization. */
  isAsserted: boolean;
  /** True if the organization's word covers the user's account. */
  isCovered: boolean;
  /** The proofs of the provider. */
  authority: Authority;
  /** The reason for not signing the user in by this identity only; undefined if it is sufficient. */
  denial: DenialReason | undefined;
}

/**
 * Checks an identity, by reads in three round trips. The subject is the identity, never the address. The organization's word covers
 * users whose address is in its domains; a guest is neither created nor made a member without an invitation, and signs in by their own
 * methods before the identity is linked.
 */
export async function checkArrival(
  record: ConnectionRecord,
  organization: OrganizationSummary,
  identity: ConnectionIdentity,
  { isInvited }: { isInvited: boolean },
): Promise<CheckedArrival> {
  const { environmentId } = record;
  const organizationId = organization.id;
  const name = identityName(record, identity);
  const authority = readProviderProofs(record, identity);
  const [holder, known] = await awaitAll([
    identityHolder(environmentId, name),
    getUserByEmail(environmentId, identity.email),
  ]);
  const own = holder === undefined ? undefined : await findUser(environmentId, holder);
  const found = own ?? known;
  const [former, identities, wasEnded] = await awaitAll([
    found && findMembership(environmentId, found.id, organizationId),
    found === undefined ? [] : findIdentities(environmentId, found.id),
    found !== undefined && wasMembershipEnded(environmentId, found.id, organizationId),
  ]);
  const atConnection = identities.filter(({ issuer }) => issuer === name.issuer);
  const linked = atConnection.find(({ subject }) => subject === name.subject);
  const isAsserted = identity.isUnverified !== true && ownsAddress(organization, identity.email);
  // An address of the organization that is not proved yet is proved by the organization's provider.
  const isProvedNow = (user: UserRecord): boolean => isAsserted && !user.emailVerified && user.email === identity.email;
  const isCovered = found === undefined ? isAsserted : coversAccount(organization, found) || isProvedNow(found);
  const covering = isCovered ? [organizationId] : [];
  const justification = linked?.justification as Justification | undefined;
  const joining = may(authority, {
    act: 'join',
    organizationId,
    membership: former?.status ?? 'none',
    isInvited,
    wasEnded,
    covering,
  });
  const linking = may(authority, {
    act: 'link',
    organizationId,
    isLinked: linked !== undefined && isJustified(justification, isCovered, former),
    isNew: found === undefined,
    isUnverified: identity.isUnverified === true,
    hasOtherSubject: atConnection.some(({ subject }) => subject !== name.subject),
    covering,
    isWeak: false,
  });
  return { found, former, holder, isAsserted, isCovered, authority, denial: chooseDenial(joining, linking) };
}

/** The reason to name: an unverified address explains also why the user is outside of the organization. */
function chooseDenial(joining: Decision, linking: Decision): DenialReason | undefined {
  const isUnverified = !linking.isAllowed && linking.reason === 'email_not_verified';
  const [first, second] = isUnverified ? [linking, joining] : [joining, linking];
  const denied = first.isAllowed ? second : first;
  return denied.isAllowed ? undefined : denied.reason;
}

/** The proofs of an identity provider: the user, and a second factor if it reports one that the connection accepts. */
function readProviderProofs(record: ConnectionRecord, identity: ConnectionIdentity): Authority {
  const word = organizationWord(record.organizationId);
  const at = identity.authenticatedAt ?? clock.now();
  return [
    { method: 'sso', word, at },
    ...(showsFactor(record, identity) ? [{ method: 'factor', word, at } as const] : []),
  ];
}

/**
 * Reports whether a link still holds: by the organization's word while that covers the user, by the user's own sign-in while the user is
 * the same member.
 */
const isJustified = (
  justification: Justification | undefined,
  isCovered: boolean,
  former: OrganizationMembershipRecord | undefined,
): boolean =>
  isCovered ||
  (justification?.by === 'person' && former?.status === 'active' && former.id === justification.membershipId);
