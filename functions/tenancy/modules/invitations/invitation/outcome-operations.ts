import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { orFail } from '../../../../kernel/errors.ts';
import { operation } from '../../../../kernel/operation.ts';
import { release } from '../../../../kernel/storage/unique.ts';
import { findOrganization } from '../../../organizations/public.ts';
import { findUser, getUserByEmail } from '../../users/public.ts';
import { InvitationRejected, stageInvitationAcceptance } from './accept.ts';
import { invitations, openPlace } from './entity.ts';
import {
  accepted,
  expired,
  hasAcceptedUser,
  invalidInvitation,
  invitationNotFound,
  notDeliverable,
  notPending,
  revoked,
} from './errors.ts';
import { isReachable, requireInvitationRoom, stageResending } from './stage.ts';
import { computeState } from './rules.ts';
import { Invitation, ResendInvitation } from './schema.ts';
import { currentPayload, presentInvitation } from './token.ts';

export const acceptInvitation = operation({
  id: 'invitations.accept',
  method: 'POST',
  path: '/user_management/invitations/{id}/accept',
  summary: 'Accept an invitation for the user with the invited address',
  description:
    'The user becomes an active member of the organization, if the invitation is to one. This call does not verify the email address of the user, since no one ' +
    'presented the token of the mail, and the token is invalid from now on.',
  auth: apiKey,
  responses: { 200: Invitation },
  errors: [invitationNotFound, notPending, hasAcceptedUser, invalidInvitation],
  emits: ['invitation.accepted', 'organization_membership.created', 'organization_membership.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(invitations.get(environmentId, params.id), () => fail(invitationNotFound));
    const state = computeState(record, clock.now());
    if (state === 'accepted') throw fail(hasAcceptedUser);
    if (state !== 'pending') throw fail(notPending);
    const user = await orFail(getUserByEmail(environmentId, record.email), () => fail(invalidInvitation));
    try {
      const { invitation } = await stageInvitationAcceptance(unit, record, user);
      return { status: 200, body: await presentInvitation(invitation) };
    } catch (error) {
      if (!(error instanceof InvitationRejected)) throw error;
      throw fail(invalidInvitation, { message: MESSAGES[error.reason] });
    }
  },
});

const MESSAGES: Readonly<Record<InvitationRejected['reason'], string>> = {
  not_pending: notPending.message,
  email_mismatch: 'The invitation is for another address than the user has.',
  organization_gone: 'The organization of the invitation is deleted.',
  membership_inactive: 'The user’s membership of the organization is inactive. Reactivate it instead.',
};

export const revokeInvitation = operation({
  id: 'invitations.revoke',
  method: 'POST',
  path: '/user_management/invitations/{id}/revoke',
  summary: 'Revoke a pending invitation; its link stops working',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: Invitation },
  errors: [invitationNotFound, notPending],
  emits: ['invitation.revoked'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(invitations.get(environmentId, params.id), () => fail(invitationNotFound));
    if (computeState(record, clock.now()) !== 'pending') throw fail(notPending);
    const revokedAt = clock.timestamp();
    const next = unit.announce(
      invitations.revise(record, { revokedAt }, revokedAt),
      'invitation.revoked',
      currentPayload,
      { organizationId: record.organizationId },
    );
    unit.stage(release(openPlace(environmentId, record), record.id));
    return { status: 200, body: await presentInvitation(next) };
  },
});

export const resendInvitation = operation({
  id: 'invitations.resend',
  method: 'POST',
  path: '/user_management/invitations/{id}/resend',
  summary: 'Send a pending invitation again',
  description:
    'The link stays the same. It is valid again for as many days as the invitation was created with, counted from this call.',
  auth: apiKey,
  operator: 'people.support',
  body: ResendInvitation,
  bodyOptional: 'tolerated',
  responses: { 200: Invitation },
  errors: [invitationNotFound, expired, revoked, accepted, notDeliverable],
  emits: ['invitation.resent'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const record = await orFail(invitations.get(environmentId, params.id), () => fail(invitationNotFound));
    const state = computeState(record, clock.now());
    if (state !== 'pending') throw fail({ expired, revoked, accepted }[state]);
    if (!(await isReachable(environmentId, record.email))) throw fail(notDeliverable);
    const { organizationId, inviterUserId } = record;
    const [organization, inviter] = await awaitAll([
      organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
      inviterUserId === undefined ? undefined : findUser(environmentId, inviterUserId),
      requireInvitationRoom(environmentId, record.email, organizationId),
    ]);
    const next = await stageResending(unit, record, { organization, inviter, locale: body.locale });
    return { status: 200, body: await presentInvitation(next) };
  },
});

/** The operations that end an invitation, or send it again. */
export const invitationOutcomeOperations = [acceptInvitation, revokeInvitation, resendInvitation] as const;
