import { invalidClient } from '../../../kernel/authentication/client.ts';
import { declareError, notFound } from '../../../kernel/errors.ts';

// The standard grants respond with errors in the form of RFC 6749 section 5.2, the others with {code, message}, as in
// the contract.
const oauth = <const Code extends string>(code: Code, message: string) =>
  declareError({ status: 400, code, message, form: 'oauth' });
const coded = <const Code extends string>(code: Code, message: string) => declareError({ status: 400, code, message });
/** The note of an error that the contract declares and that this service never has: test/support/declarations/awaited.ts says why of each. */
const NEVER = 'The contract has this code; this service never returns it.';

const continued = <const Code extends string>(code: Code, message: string) =>
  declareError({ status: 403, code, message });

export const invalidRequest = oauth(
  'invalid_request',
  'The grant_type is not one of the values in the reference, or a field that it requires is missing.',
);
export const invalidGrant = oauth(
  'invalid_grant',
  'The code or token is unknown, used, expired, or was issued for another client, redirect URI or verifier. Sign in again.',
);
export const unauthorizedClient = oauth(
  'unauthorized_client',
  'authorization_code: the code was requested without a code_challenge, so send the client_secret. Device code: the sign-in settings of the environment do not allow `device_flow`; enable it there.',
);
export const codeChallengeNotFound = coded(
  'code_challenge_not_found',
  'A code_verifier was sent, but the authorization request had no code_challenge. Send both or neither.',
);
const pkceNotSupported = oauth('pkce_not_supported', `The client does not support PKCE. ${NEVER}`);
export const methodDisabled = oauth(
  'authentication_method_not_allowed',
  'This sign-in method was disabled in the environment after the sign-in began: use another one, or enable it in the sign-in settings. Or the organization does not accept it, because another organization’s identity provider signed the person in: redirect the browser to hosted_redirect_url, where the person signs in by a method of their own.',
);

export const invalidCredentials = coded('invalid_credentials', 'The email or the password is wrong.');
export const passwordOff = continued(
  'email_password_auth_disabled',
  'The environment does not allow sign-in with a password. Use another method, or enable `methods.password` in PUT /x/authentication/settings.',
);
export const methodNotAllowed = continued(
  'authentication_method_not_allowed',
  'Sign-in with a mailed code is disabled in the environment: use another method, or enable `methods.magic_auth` in PUT /x/authentication/settings. Or the second factor of the user is a passkey, which only the hosted pages accept: sign in there.',
);
export const invalidOneTimeCode = coded(
  'invalid_one_time_code',
  'The code is wrong. Ask the person for it again, or for the next one of the app, and send it with the same pending_authentication_token if the sign-in has one.',
);
export const codeUsed = coded(
  'one_time_code_previously_used',
  'The code was already used. A code can be used once. Use a new one.',
);
export const codeExpired = coded('one_time_code_expired', 'The code has expired after ten minutes. Send a new one.');
export const codeTriedTooOften = coded(
  'one_time_code_too_many_attempts',
  'Too many wrong codes were tried. Sign in again: the new sign-in sends a new code, or takes the next code of an authenticator app.',
);
export const invalidPendingToken = coded(
  'invalid_pending_authentication_token',
  'The pending_authentication_token is unknown, used, older than ten minutes, or for another step. Sign in again.',
);
/** The error is the same for a missing challenge and for another user's. */
export const challengeNotFound = notFound('authentication challenge');
export const userMismatch = coded(
  'user_mismatch',
  'The challenge does not belong to this user’s sign-in. Start a challenge of this user.',
);
export const phoneNumberRequired = coded(
  'phone_number_required',
  'The first SMS code of a user needs phone_number: the number to which POST /user_management/radar_challenges sent the code.',
);
export const verificationIdRequired = coded(
  'verification_id_required',
  'A new account needs the verification_id of POST /user_management/radar_challenges.',
);
export const invalidOrganizationId = coded(
  'invalid_organization_id',
  'The user is not an active member of the organization. Choose one of those that were offered.',
);

export const invitationInvalid = oauth(
  'invitation_invalid',
  'The invitation is unknown, expired, revoked or accepted already.',
);
export const invitationForAnother = oauth(
  'invitation_cannot_be_used_for_email',
  'The invitation was sent to another address than the one that signs in.',
);
export const signUpNotAllowed = oauth(
  'sign_up_not_allowed',
  'There is no such user, and sign-up is disabled in the environment.',
);
export const invalidLinkCode = oauth(
  'invalid_link_authorization_code',
  'The link_authorization_code is unknown, used, expired, or of another user’s sign-in.',
);
export const organizationUnknown = oauth(
  'organization_not_found',
  'There is no such organization in this environment.',
);
export const membershipUnknown = oauth(
  'organization_membership_not_found',
  'The user is not an active member of the organization.',
);
export const ssoRequired = oauth(
  'sso_required',
  'The user’s organization requires single sign-on. Continue with one of the connections in connection_ids at GET /user_management/authorize.',
);
export const tokenTooBig = oauth(
  'token_too_big',
  'The access token would be too large for clients. Put fewer claims into the JWT template.',
);
export const enrolmentRequired = oauth(
  'mfa_enrollment',
  'The environment or the organization requires a second factor that the sign-in of this session did not prove. Redirect the browser to hosted_redirect_url: the person signs in there, and enrolls a factor if there is none.',
);

export const authorizationPending = oauth(
  'authorization_pending',
  'The user has not decided yet. Poll again after the interval.',
);
export const slowDown = oauth(
  'slow_down',
  'The device polls too often. Add five seconds to the interval between requests.',
);
export const expiredToken = oauth('expired_token', 'The device code has expired. Start again on the device.');
export const accessDenied = oauth(
  'access_denied',
  'The user denied access to the device. Or Radar or an action of the environment denied the sign-in; error_description has the reason.',
);

export const tooManyRequests = declareError({
  status: 429,
  code: 'too_many_requests',
  message: 'Too many attempts to sign in for this minute, hour or day. Try again after the time in Retry-After.',
  form: 'oauth',
});
export const quotaExceeded = declareError({
  status: 429,
  code: 'daily_quota_exceeded',
  message: 'Too many attempts to sign in for this minute, hour or day. Try again after the time in Retry-After.',
});

/** The continuations: the remaining steps of a sign-in, with the token that continues it. */
export const continuations = {
  email_verification_required: continued(
    'email_verification_required',
    'The email address must be verified first: a code was sent to it. Continue with the email-verification grant.',
  ),
  mfa_enrollment: continued(
    'mfa_enrollment',
    'The user must enroll a second factor to sign in. Enroll one with POST /user_management/users/{id}/auth_factors, then continue with the mfa-totp grant.',
  ),
  mfa_challenge: continued(
    'mfa_challenge',
    'The sign-in requires the second factor of the user. Continue with the mfa-totp grant: send its code, the pending_authentication_token, and the id of authentication_challenge as authentication_challenge_id.',
  ),
  organization_selection_required: continued(
    'organization_selection_required',
    'The user is a member of several organizations. Continue with the organization-selection grant.',
  ),
  radar_challenge: continued(
    'radar_challenge',
    'The device is new: a code was sent to the user’s email address. Continue with the radar-email-challenge ' +
      'grant.',
  ),
  radar_sign_up_challenge: continued(
    'radar_sign_up_challenge',
    'The device is new and the user has no phone number. Send a code with POST /user_management/radar_challenges, then continue with the radar-sms-challenge grant.',
  ),
  radar_sms_sign_in_challenge: continued(
    'radar_sms_sign_in_challenge',
    'The device is new: a code was sent to the user’s phone. Continue with the radar-sms-challenge grant.',
  ),
  email_completion_required: continued(
    'email_completion_required',
    'The provider returned no email. Ask the user for one, then continue with the email-completion grant.',
  ),
  passkey_progressive_enrollment: continued(
    'passkey_progressive_enrollment',
    'The user is offered a passkey. Redirect the browser to GET /user_management/authorize with the pending_authentication_token, and exchange the code that your redirect_uri receives.',
  ),
} as const;

const neverReturned = [
  oauth('invalid_profile', `The profile of the single sign-on does not match a user. ${NEVER}`),
  oauth('invalid_connection', `The connection is not active. ${NEVER}`),
  oauth(
    'organization_authentication_methods_required',
    'The organization does not allow this sign-in method. The contract has this code; this service responds sso_required instead, with the connections to use.',
  ),
  oauth(
    'extra_attributes_required',
    `The provider did not return every user attribute that the environment requires. ${NEVER}`,
  ),
  pkceNotSupported,
  continued('application_consent_required', `The user must consent to the application first. ${NEVER}`),
] as const;

export const authenticateErrors = [
  invalidClient,
  invalidRequest,
  invalidGrant,
  unauthorizedClient,
  codeChallengeNotFound,
  methodDisabled,
  invalidCredentials,
  passwordOff,
  methodNotAllowed,
  invalidOneTimeCode,
  codeUsed,
  codeExpired,
  codeTriedTooOften,
  invalidPendingToken,
  challengeNotFound,
  userMismatch,
  phoneNumberRequired,
  verificationIdRequired,
  invalidOrganizationId,
  invitationInvalid,
  invitationForAnother,
  signUpNotAllowed,
  invalidLinkCode,
  organizationUnknown,
  membershipUnknown,
  ssoRequired,
  tokenTooBig,
  enrolmentRequired,
  authorizationPending,
  slowDown,
  expiredToken,
  accessDenied,
  tooManyRequests,
  quotaExceeded,
  ...Object.values(continuations),
  ...neverReturned,
] as const;

export type AuthenticateError = (typeof authenticateErrors)[number];
