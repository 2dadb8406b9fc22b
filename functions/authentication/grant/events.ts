import { proofEvents } from '../sign-in/outcome.ts';

/** What a grant may tell. */
export const grantEvents = [
  ...proofEvents,
  'authentication.radar_risk_detected',
  'email_verification.created',
  'invitation.accepted',
  'organization_membership.created',
  'organization_membership.updated',
  'session.created',
  'session.revoked',
  'user.created',
  'user.updated',
] as const;
