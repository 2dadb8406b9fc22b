import { normalizeEmail } from '../../../../kernel/address.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import type { EventRecord } from '../../../../kernel/events/entity.ts';
import { listMessagesTo, recipientHash } from '../../../../kernel/messages/entity.ts';
import { findIdentities, hasPassword } from '../../../../proofs/modules/credentials/public.ts';
import { signInSettings } from '../../../../proofs/modules/email-proofs/public.ts';
import { invitationStateOf, listInvitationsTo } from '../../../../tenancy/modules/invitations/public.ts';
import { findUserMemberships } from '../../../../tenancy/modules/memberships/public.ts';
import { findAddressSuppression } from '../../../../outbound/messages/public.ts';
import { findFactors } from '../../../../proofs/mfa/public.ts';
import { findOrganizationSso, findSsoOfEmail } from '../../../../tenancy/modules/organization-sso/public.ts';
import { findOrganization } from '../../../../tenancy/organizations/public.ts';
import { findPasskeys, findRelyingParty } from '../../../../proofs/passkeys/public.ts';
import { assessLists, findRadarSettings } from '../../../../proofs/radar/public.ts';
import { findPersonAttempts } from '../../../sso/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { findLatestEvents, findLimits, findNetworks } from '../limit/find.ts';
import { allSso, type Facts, type PastEvent } from './facts.ts';

/** The person of an explanation. */
export interface Person {
  environmentId: string;
  user: UserRecord | undefined;
  /** The id of a deleted user, or the user's. */
  userId: string | undefined;
  email: string;
  organizationId: string | undefined;
  ipAddress: string | undefined;
}

/** Maximum organizations of a user whose single sign-on is read, and connections whose attempts are. */
const MOST_ORGANIZATIONS = 10;
const MOST_CONNECTIONS = 5;
const MOST_MESSAGES = 5;

/**
 * Reads the data of an explanation, in waves of parallel reads after the user: the records of the id and the address; the
 * connections; the counters of the networks and factors from the first wave, with the attempts. Nothing is counted or
 * changed.
 */
export async function findFacts(person: Person): Promise<Facts> {
  const { environmentId, email, user } = person;
  const [settings, own, byAddress, events] = await awaitAll([
    findSettings(environmentId, signInSettings),
    findOwn(environmentId, user),
    findByAddress(person),
    findLatestEvents(environmentId, person.userId ?? email),
  ]);
  const active = own.memberships.filter(({ status }) => status === 'active').slice(0, MOST_ORGANIZATIONS);
  const networks = findNetworks(events, person.ipAddress);
  const counted = { userId: user?.id, email, factors: own.factors, networks };
  const [memberSso, limits, risk] = await awaitAll([
    awaitAll(active.map(({ organizationId }) => findOrganizationSso(environmentId, organizationId))),
    findLimits(environmentId, counted),
    findRisk(person, events),
  ]);
  const { domainSso } = byAddress;
  const connections = allSso({ domainSso, memberSso }).flatMap((sso) => sso.connections);
  const attempts = await awaitAll(
    connections
      .slice(0, MOST_CONNECTIONS)
      .map(({ id }) => findPersonAttempts(environmentId, id, { userId: user?.id, email })),
  );
  return {
    now: clock.now(),
    email,
    user,
    settings,
    ...own,
    ...byAddress,
    memberSso,
    limits,
    risk,
    attempts: attempts.flat(),
    events: events.map(readEvent),
  };
}

/** The records of a user; none without one. */
async function findOwn(environmentId: string, user: UserRecord | undefined) {
  if (user === undefined) {
    return { hasPassword: false, providers: [], passkeys: [], factors: [], memberships: [] };
  }
  const relyingParty = findRelyingParty();
  const [password, identities, passkeys, factors, memberships] = await awaitAll([
    hasPassword(environmentId, user.id),
    findIdentities(environmentId, user.id),
    findPasskeys(environmentId, user.id),
    findFactors(environmentId, user.id),
    findUserMemberships(environmentId, user.id),
  ]);
  return {
    hasPassword: password,
    providers: identities.map(({ provider }) => provider),
    passkeys: passkeys.filter(({ rpId }) => rpId === relyingParty?.id),
    factors,
    memberships,
  };
}

/** The records that the address and the named organization lead to. */
async function findByAddress({ environmentId, email, organizationId }: Person) {
  const [messages, suppression, invitations, domainSso, named] = await awaitAll([
    listMessagesTo(environmentId, recipientHash(environmentId, email), MOST_MESSAGES),
    findAddressSuppression(environmentId, email),
    listInvitationsTo(environmentId, email, MOST_MESSAGES),
    findSsoOfEmail(environmentId, email),
    organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
  ]);
  const now = clock.now();
  return {
    messages: messages.records,
    suppression,
    domainSso,
    named: organizationId === undefined ? undefined : { id: organizationId, exists: named !== undefined },
    invitations: invitations.map((one) => ({ id: one.id, state: invitationStateOf(one, now), endsAt: one.endsAt })),
  };
}

/** The decision of Radar's lists about the client of the last attempt; undefined if sign-ins are not compared with them. */
async function findRisk({ environmentId, email, ipAddress }: Person, events: readonly EventRecord[]) {
  if ((await findRadarSettings(environmentId)).sign_in === 'off') return undefined;
  const last = events.map(readEvent).find(({ data }) => typeof data.ip_address === 'string')?.data;
  return assessLists({
    environmentId,
    email,
    ipAddress: ipAddress ?? (last?.ip_address as string | undefined) ?? null,
    userAgent: (last?.user_agent as string | null | undefined) ?? null,
  });
}

function readEvent({ id, name, data, context, createdAt }: EventRecord): PastEvent {
  const { previous_attributes: previous = {} } = JSON.parse(context ?? '{}') as {
    previous_attributes?: Record<string, unknown>;
  };
  return { id, name, at: createdAt, data: JSON.parse(data) as Record<string, unknown>, previous };
}

/** The address of a deleted user, from the event of the deletion; undefined if this environment never had the user. */
export async function findDeletedAddress(environmentId: string, userId: string): Promise<string | undefined> {
  const events = await findLatestEvents(environmentId, userId);
  const deleted = events.map(readEvent).find(({ name }) => name === 'user.deleted');
  const email = deleted?.data.email;
  return typeof email === 'string' ? normalizeEmail(email) : undefined;
}
