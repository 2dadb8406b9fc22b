/** The functions of invitations for other modules: finding one by its token, and accepting it. */
export {
  InvitationRejected,
  type RejectionReason as InvitationRefusalReason,
  stageInvitationAcceptance,
} from './invitation/accept.ts';
export { eraseInvitationsTo } from './invitation/erasure.ts';
export { findInvitationByToken, type InvitationRecord, listInvitationsTo } from './invitation/entity.ts';
export { notDeliverable } from './invitation/errors.ts';
export { computeState as invitationStateOf } from './invitation/rules.ts';
export { invitationSettings } from './invitation/settings.ts';
export { environmentOfInvitationToken, INVITATION_PAGE } from './invitation/token.ts';
export { inviteGuest, withdrawInvitation } from './invitation/directory-invitation.ts';
