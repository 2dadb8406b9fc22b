import type { Step } from '../../../sign-in/modules/sign-in-flows/public.ts';

/** The pages of a sign-in. */
export const PATHS = {
  signIn: '/hosted/sign-in',
  password: '/hosted/sign-in/password',
  code: '/hosted/sign-in/code',
  passkey: '/hosted/sign-in/passkey',
  passkeyOffer: '/hosted/passkey',
  recovery: '/hosted/mfa/recovery',
  passkeyChallenge: '/hosted/mfa/passkey',
  social: '/hosted/sign-in/social',
  email: '/hosted/sign-in/email',
  sso: '/hosted/sign-in/sso',
  signUp: '/hosted/sign-up',
  signUpCode: '/hosted/sign-up/code',
  forgot: '/hosted/forgot-password',
  verify: '/hosted/verify-email',
  enrol: '/hosted/mfa/enroll',
  factorOffer: '/hosted/mfa/offer',
  challenge: '/hosted/mfa',
  newDevice: '/hosted/verify-device',
  telephone: '/hosted/verify-phone',
  organization: '/hosted/organization',
  device: '/hosted/device',
  agent: '/hosted/agent/confirm',
  consent: '/hosted/consent',
  external: '/hosted/external',
} as const;

/** The page of each step of a sign-in; the first page for steps without a page. */
export const PAGE_OF: Readonly<Record<Step, string>> = {
  email_verification_required: PATHS.verify,
  mfa_enrollment: PATHS.enrol,
  mfa_challenge: PATHS.challenge,
  organization_selection_required: PATHS.organization,
  radar_challenge: PATHS.newDevice,
  radar_sms_sign_in_challenge: PATHS.newDevice,
  radar_sign_up_challenge: PATHS.telephone,
  email_completion_required: PATHS.signIn,
  passkey_progressive_enrollment: PATHS.passkeyOffer,
};
