import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { declareError, notFound, orFail } from '../../../../kernel/errors.ts';
import { operation } from '../../../../kernel/operation.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { isReachable, stageInvitation, stageResending } from '../invitation/stage.ts';
import { findParties } from '../invitation/parties.ts';
import { DEFAULT_DAYS, computeState } from '../invitation/rules.ts';
import { releaseEmail, waitlistEntries, type WaitlistEntryRecord } from './entity.ts';
import { entryPayload, presentEntry, WaitlistEntry } from './schema.ts';

const entryNotFound = notFound('waitlist entry');

const invalidState = declareError({
  status: 422,
  code: 'invalid_state',
  message: 'The entry is approved already.',
});

const notPending = declareError({
  status: 422,
  code: 'invalid_state',
  message: 'Only a pending entry can be denied.',
});

const APPROVED_ONLY = 'The entry is approved, but no invitation was sent';
const invitationNotSent = declareError({
  status: 422,
  code: 'invitation_email_not_sent',
  message: `${APPROVED_ONLY}: no mail can be delivered to the domain of its address, or there is a user with its address, who can sign in without one.`,
});

export const approveWaitlistEntry = operation({
  id: 'waitlist_entries.approve',
  method: 'POST',
  path: '/user_management/waitlist_entries/{id}/approve',
  summary: 'Approve a waitlist entry and invite its address',
  description:
    'Pending and denied entries can be approved. A pending invitation of the address is sent again. If no ' +
    'invitation can be sent, because there is a user with the address or its domain takes no mail, the entry is still approved, and ' +
    'the response is 422 `invitation_email_not_sent`, whose message has the reason.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: WaitlistEntry },
  errors: [entryNotFound, invalidState, invitationNotSent],
  emits: ['waitlist_user.approved', 'invitation.created', 'invitation.resent'],
  idempotency: 'replay',
  async handle({ environmentId, params, unit, fail }) {
    const former = await orFail(waitlistEntries.get(environmentId, params.id), () => fail(entryNotFound));
    if (former.state === 'approved') throw fail(invalidState);
    const approvedAt = clock.timestamp();
    const approval = waitlistEntries.revise(former, { state: 'approved', approvedAt }, approvedAt);
    const record = unit.announce(approval, 'waitlist_user.approved', entryPayload);
    const hindrance = await invite(unit, record);
    if (hindrance === undefined) return { status: 200, body: presentEntry(record) };
    throw fail(invitationNotSent, { message: `${APPROVED_ONLY}: ${hindrance}`, commitOnFailure: true });
  },
});

/** Invites the address of an entry. @returns the reason if no invitation is sent */
async function invite(
  unit: Unit<'invitation.created' | 'invitation.resent'>,
  { environmentId, email }: WaitlistEntryRecord,
): Promise<string | undefined> {
  if (!(await isReachable(environmentId, email))) return 'no mail can be delivered to the domain of its address.';
  const { user, former } = await findParties(environmentId, { email });
  if (user !== undefined) return 'there is a user with its address, who can sign in without one.';
  const isInvited = former !== undefined && computeState(former, clock.now()) === 'pending';
  if (isInvited) await stageResending(unit, former, {});
  else await stageInvitation(unit, { environmentId, email, days: DEFAULT_DAYS, former });
  return undefined;
}

export const denyWaitlistEntry = operation({
  id: 'waitlist_entries.deny',
  method: 'POST',
  path: '/user_management/waitlist_entries/{id}/deny',
  summary: 'Deny a pending waitlist entry',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: WaitlistEntry },
  errors: [entryNotFound, notPending],
  emits: ['waitlist_user.denied'],
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const former = await orFail(waitlistEntries.get(environmentId, params.id), () => fail(entryNotFound));
    if (former.state !== 'pending') throw fail(notPending);
    const denial = waitlistEntries.revise(former, { state: 'denied' });
    const record = unit.announce(denial, 'waitlist_user.denied', entryPayload);
    return { status: 200, body: presentEntry(record) };
  },
});

export const deleteWaitlistEntry = operation({
  id: 'waitlist_entries.delete',
  method: 'DELETE',
  path: '/user_management/waitlist_entries/{id}',
  summary: 'Delete a waitlist entry; an invitation from it remains valid',
  auth: apiKey,
  operator: 'people.change',
  responses: { 204: null },
  errors: [entryNotFound],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(waitlistEntries.get(environmentId, params.id), () => fail(entryNotFound));
    unit.stage([waitlistEntries.remove(record), releaseEmail(record)]);
    return { status: 204 };
  },
});

/** The operations on one entry. */
export const waitlistEntryOperations = [approveWaitlistEntry, denyWaitlistEntry, deleteWaitlistEntry] as const;
