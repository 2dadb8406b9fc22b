import { passkeyEvents, proofEvents } from '../../../proofs/modules/sign-in-checks/public.ts';

/** The events of signing in through the pages. */
export const signInEvents = [
  'action.authentication.denied',
  'action.user_registration.denied',
  ...proofEvents,
  ...passkeyEvents,
  'authentication.radar_risk_detected',
  'authentication.reauthentication_succeeded',
  'email_verification.created',
  'invitation.accepted',
  'magic_auth.created',
  'organization_membership.created',
  'organization_membership.updated',
  'password_reset.created',
  'session.revoked',
  'user.created',
  'user.updated',
] as const;
