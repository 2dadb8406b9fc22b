import { askRegistration } from '../../actions/public.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import type { Attempt } from '../../sign-in/public.ts';
import { assessConfirmedSignIn, BLOCKED_MESSAGE } from '../../sign-in-checks/public.ts';
import type { AuthorizationRequest } from '../../sign-in-flows/public.ts';
import { isOperatorsEnvironment } from '../../kernel/authentication/environment-id.ts';
import type { ClientContext } from '../../known-devices/public.ts';
import { readDomain } from '../../kernel/address.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { identityHolder, type IdentityName } from '../../credentials/public.ts';
import {
  findMembership,
  type MembershipRoles,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
} from '../../memberships/public.ts';
import type { OrganizationSummary } from '../../organizations/public.ts';
import { findUser, getUserByEmail, stageUser, stageUserChange, type UserRecord } from '../../users/public.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { domainsOfConnection } from '../connection/schema.ts';
import { settingsIn } from '../connection/settings.ts';
import type { ConnectionIdentity } from './identity.ts';
import { stageArrivingChange, stageArrivingMember } from './member.ts';

/** The exception that aborts a unit of work: the application gets the code and the message. */
export class SsoRejected extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SsoRejected';
    this.code = code;
  }
}

export const OUTSIDE = 'profile_not_allowed_outside_organization';

/** The provider name of every identity from an SSO connection. The issuer of such an identity is the connection's id. */
const SSO_PROVIDER = 'SSO';

/** The name of an identity at a connection. An email is never a part of it. */
export const identityName = ({ id }: ConnectionRecord, { idpId }: Pick<ConnectionIdentity, 'idpId'>): IdentityName => ({
  provider: SSO_PROVIDER,
  issuer: id,
  subject: idpId,
});

/**
 * Reports whether an identity provider can assert an address: only if its domain is a verified domain of the connection's own
 * organization. Otherwise the provider of one organization could assert the address of another.
 */
export const isOwnAddress = (organization: OrganizationSummary, email: string): boolean =>
  domainsOfConnection(organization).some(({ domain }) => domain === readDomain(email));

/** Reports whether the provider reported a second factor that the connection accepts. */
const showsFactor = (record: ConnectionRecord, { contexts }: ConnectionIdentity): boolean =>
  settingsIn(record).second_factor_values.some((value) => contexts.includes(value));

interface Arrival {
  flow: AuthorizationRequest;
  record: ConnectionRecord;
  organization: OrganizationSummary;
  identity: ConnectionIdentity;
  origin: ClientContext;
}

/** The provider's names for the user. Its email never replaces the user's. */
const names = ({ firstName, lastName, name }: ConnectionIdentity) => ({
  ...(firstName === undefined ? {} : { firstName }),
  ...(lastName === undefined ? {} : { lastName }),
  ...(name === undefined ? {} : { name }),
});

/**
 * Finds or creates the user of an identity, with their membership of the connection's organization, as the first proof
 * of a sign-in. A guest, with an address outside of the organization's verified domains, is neither created nor made a
 * member without an invitation.
 * @throws SsoRejected
 */
export async function prepareAttempt(unit: Unit, arrival: Arrival): Promise<Attempt> {
  const { flow, record, organization, identity, origin } = arrival;
  const { environmentId } = record;
  const name = identityName(record, identity);
  const [holder, known, roles] = await awaitAll([
    identityHolder(environmentId, name),
    getUserByEmail(environmentId, identity.email),
    rolesOfMemberships(environmentId, organization.id),
  ]);
  const own = holder === undefined ? undefined : await findUser(environmentId, holder);
  const isOwn = isOwnAddress(organization, identity.email);
  const found = own ?? known;
  const former = found && (await findMembership(environmentId, found.id, organization.id));
  if (former?.status === 'inactive') {
    throw new SsoRejected('access_denied', 'The membership of the organization is inactive.');
  }
  const isInvited = flow.invitationToken !== undefined;
  if (!isOwn && !isInvited && former?.status !== 'active') {
    throw new SsoRejected(
      OUTSIDE,
      'The address is outside of the organization’s verified domains, and is not invited.',
    );
  }
  const arriving = { environmentId, email: found?.email ?? identity.email, method: 'sso' as const, origin };
  const risk = await assessConfirmedSignIn(unit, { ...arriving, user: found });
  if (risk === 'blocked') throw new SsoRejected('access_denied', BLOCKED_MESSAGE);
  const user = await stageArrivingUser(unit, arrival, { found, isOwn, isManaged: former?.directoryManaged === true });
  const membership = await stageMember(
    unit,
    { ...arrival, known: roles },
    { former, user, isOwn, isOwner: holder === found?.id },
  );
  const { second_factor: factor } = settingsIn(record);
  return {
    ...origin,
    environmentId,
    user,
    method: 'sso',
    risk,
    proofs: { emailVerified: isOwn && identity.email === user.email, mfa: showsFactor(record, identity) },
    // An operator needs a second factor of this service, unless the provider has reported one that the connection accepts.
    needsFactor: factor === 'ask' || isOperatorsEnvironment(environmentId),
    organizationId: organization.id,
    ssoOrganizationId: organization.id,
    membership,
    invitationToken: flow.invitationToken,
    identity: { ...name, isAddressProved: isOwn && identity.email === user.email },
    holder: { userId: holder },
    oauthTokens: identity.tokens,
    flow,
    authenticatedAt: identity.authenticatedAt,
  };
}

/** The user of an identity. The names of users with an address in the organization's domain are updated. */
async function stageArrivingUser(
  unit: Unit,
  { record, identity, origin }: Arrival,
  { found, isOwn, isManaged }: { found: UserRecord | undefined; isOwn: boolean; isManaged: boolean },
): Promise<UserRecord> {
  const { environmentId } = record;
  if (found === undefined) {
    const registering = { environmentId, email: identity.email, ...names(identity), authenticationMethod: 'SSO' };
    const denied = await askRegistration(unit, { ...registering, ...origin });
    if (denied !== undefined) throw new SsoRejected(denied.code, denied.message ?? 'The registration was denied.');
    return stageUser(unit, { environmentId, email: identity.email, emailVerified: isOwn, ...names(identity) });
  }
  const given = Object.entries(names(identity)).filter(([name, value]) => found[name as keyof UserRecord] !== value);
  // The directory has priority: the identity provider does not change names that the directory manages.
  return isOwn && !isManaged && given.length > 0 ? stageUserChange(unit, found, Object.fromEntries(given)) : found;
}

interface Found {
  former: OrganizationMembershipRecord | undefined;
  user: UserRecord;
  isOwn: boolean;
  /** True if the identity is linked to the user already. */
  isOwner: boolean;
}

/**
 * The membership of an arriving user. A domain user becomes an active member at once; with an invitation it is accepted
 * when the sign-in is complete. The provider of a guest changes nothing before the guest's identity is linked.
 */
async function stageMember(
  unit: Unit,
  { record, identity, organization, flow, known }: Arrival & { known: MembershipRoles },
  { former, user, isOwn, isOwner }: Found,
): Promise<OrganizationMembershipRecord | undefined> {
  const isActive = former?.status === 'active';
  const joins = isOwn && flow.invitationToken === undefined && !isActive;
  const arriving = { record, identity, known };
  if (joins && former === undefined) {
    return stageArrivingMember(unit, arriving, { userId: user.id, organizationId: organization.id });
  }
  const follows = isActive && (isOwn || isOwner);
  return former !== undefined && (joins || follows) ? stageArrivingChange(unit, arriving, former) : undefined;
}
