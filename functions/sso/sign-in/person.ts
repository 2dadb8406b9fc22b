import type { Attempt } from '../../sign-in/public.ts';
import type { AuthorizationRequest } from '../../sign-in-flows/public.ts';
import type { ClientContext } from '../../known-devices/public.ts';
import { readDomain } from '../../kernel/address.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { identityHolder, type IdentityName } from '../../credentials/public.ts';
import {
  findMembership,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
  stageMembership,
  stageMembershipChange,
} from '../../memberships/public.ts';
import type { OrganizationSummary } from '../../organizations/public.ts';
import { findUser, getUserByEmail, stageUser, stageUserChange, type UserRecord } from '../../users/public.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { domainsOfConnection } from '../connection/schema.ts';
import { settingsIn } from '../connection/settings.ts';
import type { ConnectionIdentity } from './identity.ts';

/** Thrown to abort a unit of work: the application gets the code and the message. */
export class SsoRejected extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SsoRejected';
    this.code = code;
  }
}

export const OUTSIDE = 'profile_not_allowed_outside_organization';

/** The provider of identities at connections: their issuer is the connection. */
const SSO_PROVIDER = 'SSO';

/** The name of an identity at a connection. An email is never a part of it. */
const identityName = ({ id }: ConnectionRecord, { idpId }: ConnectionIdentity): IdentityName => ({
  provider: SSO_PROVIDER,
  issuer: id,
  subject: idpId,
});

/**
 * Reports whether an identity provider is believed about an address: only if its domain is a verified domain of the
 * connection's own organization. Otherwise one tenant's provider could assert the address of another tenant.
 */
export const isOwnAddress = (organization: OrganizationSummary, email: string): boolean =>
  domainsOfConnection(organization).some(({ domain }) => domain === readDomain(email));

/** Reports whether the provider stated a second factor that the connection accepts. */
const showsFactor = (record: ConnectionRecord, { contexts }: ConnectionIdentity): boolean =>
  settingsIn(record).second_factor_values.some((value) => contexts.includes(value));

interface Arrival {
  flow: AuthorizationRequest;
  record: ConnectionRecord;
  organization: OrganizationSummary;
  identity: ConnectionIdentity;
  origin: ClientContext;
}

/** Names of the provider for the user; its email never replaces the user's. */
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
  const [holder, known, roles] = await Promise.all([
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
  const user = stageArrivingUser(unit, arrival, { found, isOwn });
  const joins = isOwn && !isInvited && former?.status !== 'active';
  const membership = joins
    ? join(unit, { environmentId, organizationId: organization.id, userId: user.id, former, role: roles.defaultRole })
    : undefined;
  const { second_factor: factor } = settingsIn(record);
  return {
    ...origin,
    environmentId,
    user,
    method: 'sso',
    proofs: { emailVerified: isOwn && identity.email === user.email, mfa: showsFactor(record, identity) },
    needsFactor: factor === 'ask',
    organizationId: organization.id,
    membership,
    invitationToken: flow.invitationToken,
    identity: { ...name, isAddressProved: isOwn && identity.email === user.email },
    holder: { userId: holder },
    oauthTokens: identity.tokens,
    flow,
    authenticatedAt: identity.authenticatedAt,
  };
}

/** The user of an identity: names of domain users follow the provider. */
function stageArrivingUser(
  unit: Unit,
  { record, identity }: Arrival,
  { found, isOwn }: { found: UserRecord | undefined; isOwn: boolean },
): UserRecord {
  const { environmentId } = record;
  if (found === undefined) {
    return stageUser(unit, { environmentId, email: identity.email, emailVerified: isOwn, ...names(identity) });
  }
  const given = Object.entries(names(identity)).filter(([name, value]) => found[name as keyof UserRecord] !== value);
  return isOwn && given.length > 0 ? stageUserChange(unit, found, Object.fromEntries(given)) : found;
}

interface Joining {
  environmentId: string;
  organizationId: string;
  userId: string;
  former: OrganizationMembershipRecord | undefined;
  role: { id: string; slug: string };
}

/** Makes a domain user an active member. */
function join(unit: Unit, { former, role, ...membership }: Joining): OrganizationMembershipRecord {
  return former === undefined
    ? stageMembership(unit, { ...membership, roles: [role] })
    : stageMembershipChange(unit, former, { status: 'active' });
}
