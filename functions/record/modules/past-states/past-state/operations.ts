import { DAY_MS } from '../../../../kernel/durations.ts';
import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { declareError, notFound } from '../../../../kernel/errors.ts';
import { settledUntil } from '../../../../kernel/events/settlement.ts';
import { operation } from '../../../../kernel/operation.ts';
import { settings } from '../../../../kernel/settings.ts';
import { findMembershipById, membershipPayload } from '../../../../tenancy/modules/memberships/public.ts';
import { findOrganization, organizationNotFound } from '../../../../tenancy/organizations/public.ts';
import { findUser, presentUser, userNotFound } from '../../../../tenancy/modules/users/public.ts';
import { findPastState, MEMBERSHIPS, ORGANIZATIONS, USERS } from './find.ts';
import { AtTime, MembershipAtTime, PastRecord, presentPastState } from './schema.ts';

const membershipNotFound = notFound('organization membership');

const timeNotKnown = declareError({
  status: 400,
  code: 'time_not_known',
  message: 'Choose a time within the retention of events that is at least a few seconds in the past.',
});

const DESCRIPTION =
  'Computes the record as it was at that moment from its events. Fields whose values the events do not show, such as those that change without an event, are left out of the record and listed ' +
  'in `unknown`. The last few seconds are not known yet.';

/** The moment in ms; undefined if its events are expired, or may not all be there yet. */
function readMoment(time: string): number | undefined {
  const moment = Date.parse(time);
  const oldest = clock.now() - settings().GATEHOUSE_EVENT_RETENTION_DAYS * DAY_MS;
  return moment < oldest || moment >= settledUntil() ? undefined : moment;
}

const common = { method: 'GET', auth: apiKey, emits: [], idempotency: 'none', responses: { 200: PastRecord } } as const;

export const getUserAt = operation({
  ...common,
  id: 'users.at',
  path: '/x/user-management/users/{id}/at',
  summary: 'Get a user as they were at a moment',
  description: DESCRIPTION,
  query: AtTime,
  errors: [userNotFound, timeNotKnown],
  async handle({ environmentId, params: { id }, query, fail }) {
    const time = readMoment(query.time);
    if (time === undefined) throw fail(timeNotKnown);
    const user = await findUser(environmentId, id);
    const current = user && presentUser(user);
    const state = await findPastState(environmentId, { id, subject: id, time, current }, USERS);
    if (!state.isKnown) throw fail(userNotFound);
    return { status: 200, body: presentPastState(id, query.time, state) };
  },
});

export const getOrganizationAt = operation({
  ...common,
  id: 'organizations.at',
  path: '/x/organizations/{id}/at',
  summary: 'Get an organization as it was at a moment',
  description: `${DESCRIPTION} \`unknown\` has \`domains\` if the events do not show which domains the organization had at that moment.`,
  query: AtTime,
  errors: [organizationNotFound, timeNotKnown],
  async handle({ environmentId, params: { id }, query, fail }) {
    const time = readMoment(query.time);
    if (time === undefined) throw fail(timeNotKnown);
    const current = (await findOrganization(environmentId, id))?.presented;
    const state = await findPastState(environmentId, { id, subject: id, time, current }, ORGANIZATIONS);
    if (!state.isKnown) throw fail(organizationNotFound);
    return { status: 200, body: presentPastState(id, query.time, state) };
  },
});

export const getMembershipAt = operation({
  ...common,
  id: 'organization_memberships.at',
  path: '/x/user-management/organization_memberships/{id}/at',
  summary: 'Get a membership as it was at a moment',
  description: `${DESCRIPTION} The events of a deleted membership are found by \`user_id\`.`,
  query: MembershipAtTime,
  errors: [membershipNotFound, timeNotKnown],
  async handle({ environmentId, params: { id }, query, fail }) {
    const time = readMoment(query.time);
    if (time === undefined) throw fail(timeNotKnown);
    const membership = await findMembershipById(environmentId, id);
    const subject = membership?.userId ?? query.user_id;
    if (subject === undefined) throw fail(membershipNotFound);
    const current = membership && membershipPayload(membership);
    const state = await findPastState(environmentId, { id, subject, time, current }, MEMBERSHIPS);
    if (!state.isKnown) throw fail(membershipNotFound);
    return { status: 200, body: presentPastState(id, query.time, state) };
  },
});

export const pastStateOperations = [getUserAt, getOrganizationAt, getMembershipAt] as const;
