import { askRegistration } from '../../../outbound/modules/actions/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { type Attempt, usableFactors } from '../../modules/sign-in/public.ts';
import { assessConfirmedSignIn, BLOCKED_MESSAGE } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { AuthorizationRequest } from '../../modules/sign-in-flows/public.ts';
import { isOperatorsEnvironment } from '../../../kernel/authentication/environment-id.ts';
import type { ClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  type MembershipRoles,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
} from '../../../tenancy/modules/memberships/public.ts';
import type { OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import type { DenialReason } from '../../../tenancy/modules/trust/public.ts';
import { stageUser, stageUserChange, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { settingsIn } from '../connection/settings.ts';
import { identityName, checkArrival, showsFactor } from './arrival.ts';
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

/** An attempt with its user, or a user who has to sign in before the identity is linked. */
export type Prepared =
  | { kind: 'attempt'; attempt: Attempt }
  | { kind: 'link'; user: UserRecord; link: NonNullable<AuthorizationRequest['link']> };

/**
 * Finds or creates the user of an identity, with their membership of the connection's organization, as the first proof of a sign-in.
 * @throws SsoRejected
 */
export async function prepareAttempt(unit: Unit, arrival: Arrival): Promise<Prepared> {
  const { flow, record, organization, identity, origin } = arrival;
  const { environmentId } = record;
  const organizationId = organization.id;
  const [{ found, former, holder, isAsserted, isCovered, authority, denial }, roles] = await awaitAll([
    checkArrival(record, organization, identity, { isInvited: flow.invitationToken !== undefined }),
    rolesOfMemberships(environmentId, organizationId),
  ]);
  const name = identityName(record, identity);
  const needsFactor = settingsIn(record).second_factor === 'ask';
  // A factor that the connection requires is enrolled after the person's own sign-in only.
  const isEnrolling =
    needsFactor && !isCovered && found !== undefined && (await usableFactors(environmentId, found.id)).length === 0;
  if (found !== undefined && (denial === 'own_sign_in_required' || (denial === undefined && isEnrolling))) {
    const link = { userId: found.id, identity: name, organizationId, proofs: authority, needsFactor };
    return { kind: 'link', user: found, link };
  }
  if (denial !== undefined) throw rejectArrival(denial);
  const arriving = { environmentId, email: found?.email ?? identity.email, method: 'sso' as const, origin };
  const risk = await assessConfirmedSignIn(unit, { ...arriving, user: found });
  if (risk === 'blocked') throw new SsoRejected('access_denied', BLOCKED_MESSAGE);
  const isManaged = former?.directoryManaged === true;
  const user = await stageArrivingUser(unit, arrival, { found, isCovered, isManaged });
  const membership = await stageMember(unit, { ...arrival, known: roles }, { former, user, isCovered });
  return {
    kind: 'attempt',
    attempt: {
      ...origin,
      environmentId,
      user,
      method: 'sso',
      authority,
      isNew: found === undefined,
      risk,
      proofs: { emailVerified: false, mfa: showsFactor(record, identity) },
      // An operator needs a second factor of this service, unless the provider has reported one that the connection accepts.
      needsFactor: needsFactor || isOperatorsEnvironment(environmentId),
      // The sign-in ends in the organization that the application demanded, whatever connection the pages used.
      organizationId: flow.organizationId ?? organizationId,
      ssoOrganizationId: organizationId,
      membership: (flow.organizationId ?? organizationId) === organizationId ? membership : undefined,
      invitationToken: flow.invitationToken,
      identity: { ...name, isAddressProved: isAsserted && identity.email === user.email },
      holder: { userId: holder },
      oauthTokens: identity.tokens,
      flow,
      authenticatedAt: identity.authenticatedAt,
    },
  };
}

const REJECTIONS: Readonly<Partial<Record<DenialReason, readonly [code: string, message: string]>>> = {
  membership_inactive: ['access_denied', 'The membership of the organization is inactive.'],
  membership_ended: [
    'access_denied',
    'The membership of the organization was ended. An administrator of the organization can invite the person again.',
  ],
  outside_organization: [OUTSIDE, 'The address is outside of the organization’s verified domains, and is not invited.'],
  email_not_verified: [
    'access_denied',
    'The identity provider says that the address is not verified (email_verified is false). It has to verify the address first.',
  ],
  second_subject: [
    'access_denied',
    'Another account at this identity provider is linked to the user. The user removes that link on the account page first.',
  ],
};

/** The error for an identity that is not sufficient. */
export function rejectArrival(reason: DenialReason): SsoRejected {
  const [code, message] = REJECTIONS[reason] ?? ['access_denied', 'The sign-in was rejected.'];
  return new SsoRejected(code, message);
}

/** The user of an identity. The names of users are updated whose account the organization's word covers. */
async function stageArrivingUser(
  unit: Unit,
  { record, identity, origin }: Arrival,
  { found, isCovered, isManaged }: { found: UserRecord | undefined; isCovered: boolean; isManaged: boolean },
): Promise<UserRecord> {
  const { environmentId } = record;
  if (found === undefined) {
    const registering = { environmentId, email: identity.email, ...names(identity), authenticationMethod: 'SSO' };
    const denied = await askRegistration(unit, { ...registering, ...origin });
    if (denied !== undefined) throw new SsoRejected(denied.code, denied.message ?? 'The registration was denied.');
    return stageUser(unit, { environmentId, email: identity.email, emailVerified: isCovered, ...names(identity) });
  }
  const given = Object.entries(names(identity)).filter(([name, value]) => found[name as keyof UserRecord] !== value);
  // The directory has priority: the identity provider does not change names that the directory manages.
  return isCovered && !isManaged && given.length > 0 ? stageUserChange(unit, found, Object.fromEntries(given)) : found;
}

interface Found {
  former: OrganizationMembershipRecord | undefined;
  user: UserRecord;
  isCovered: boolean;
}

/**
 * The membership of an arriving user. A user whose account the organization covers becomes an active member at once; with an invitation it is
 * accepted when the sign-in is complete.
 */
async function stageMember(
  unit: Unit,
  { record, identity, organization, flow, known }: Arrival & { known: MembershipRoles },
  { former, user, isCovered }: Found,
): Promise<OrganizationMembershipRecord | undefined> {
  const isActive = former?.status === 'active';
  const joins = isCovered && flow.invitationToken === undefined && !isActive;
  const arriving = { record, identity, known };
  if (joins && former === undefined) {
    return stageArrivingMember(unit, arriving, { userId: user.id, organizationId: organization.id });
  }
  return former !== undefined && (joins || isActive) ? stageArrivingChange(unit, arriving, former) : undefined;
}
