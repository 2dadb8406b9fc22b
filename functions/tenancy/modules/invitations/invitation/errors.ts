import { declareError, notFound } from '../../../../kernel/errors.ts';
import { MAX_DAYS, MIN_DAYS } from './rules.ts';

export const invitationNotFound = notFound('invitation');

export const inviterNotFound = {
  ...notFound('user'),
  message: 'There is no user with the id in inviter_user_id in this environment.',
};

export const alreadyInvitedToOrganization = declareError({
  status: 400,
  code: 'email_already_invited_to_organization',
  message: 'This address has a pending invitation to the organization. Resend or revoke that one.',
});

export const alreadyInvited = declareError({
  status: 400,
  code: 'email_already_invited',
  message: 'This address has a pending invitation. Resend or revoke that one.',
});

export const alreadyMember = declareError({
  status: 400,
  code: 'user_already_organization_member',
  message: 'The user with this address is a member of the organization. An inactive membership can be reactivated.',
});

export const userAlreadyExists = declareError({
  status: 400,
  code: 'user_already_exists',
  message: 'There is a user with this address. Add an organization_id to invite them to an organization.',
});

export const expiresTooSoon = declareError({
  status: 400,
  code: 'expires_in_days_too_short',
  message: `expires_in_days is at least ${MIN_DAYS}.`,
});

export const expiresTooLate = declareError({
  status: 400,
  code: 'expires_in_days_too_long',
  message: `expires_in_days is at most ${MAX_DAYS}.`,
});

export const invalidRole = declareError({
  status: 400,
  code: 'invalid_role',
  message:
    'role_slug names no role that members of the organization can have. Use a role of the environment or of this organization, not one of a resource type.',
});

export const organizationBlocked = declareError({
  status: 400,
  code: 'organization_blocked_from_sending_invites',
  message: 'No invitations are sent for this organization: it is listed in blocked_organizations of the settings.',
});

export const notDeliverable = declareError({
  status: 400,
  code: 'email_domain_not_deliverable',
  message:
    'No mail can be delivered to the domain of this address or, for an invitation, the domain is in undeliverable_domains of the settings for invitations. Check the address, or use another one.',
});

export const notPending = declareError({
  status: 400,
  code: 'invite_not_pending',
  message: 'The invitation is not pending any more: it was accepted, was revoked or has expired.',
});

export const hasAcceptedUser = declareError({
  status: 400,
  code: 'invite_has_accepted_user_id',
  message: 'The invitation was already accepted; accepted_user_id is the user.',
});

export const invalidInvitation = declareError({
  status: 400,
  code: 'invalid_invite',
  message: 'There is no user with the invited address to accept the invitation. Create the user first.',
});

export const expired = declareError({
  status: 400,
  code: 'invite_expired',
  message: 'The invitation has expired. Create a new one.',
});

export const revoked = declareError({
  status: 400,
  code: 'invite_revoked',
  message: 'The invitation was revoked. Create a new one.',
});

export const accepted = declareError({
  status: 400,
  code: 'invite_accepted',
  message: 'The invitation was accepted already.',
});
