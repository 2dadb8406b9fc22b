import { declareError, notFound } from '../../../kernel/errors.ts';
import { serverNotFound } from '../../../sign-in/modules/authorization-server/public.ts';
import { agentsStopped } from '../errors.ts';

export const registrationNotFound = notFound('agent registration');
export const unknownServer = serverNotFound;

/** The error of {@link agentsStopped} for the agent itself, which cannot lift the stop. */
export const agentStopped = {
  ...agentsStopped,
  message: 'Agents are stopped here at present, and nothing is issued to them. Try again later.',
};

export const methodDisabled = declareError({
  status: 403,
  code: 'auth_method_disabled',
  message: 'This environment does not allow this kind of registration. Enable it with PUT /x/agents/settings.',
});

export const invalidClaimToken = declareError({
  status: 400,
  code: 'invalid_claim_token',
  message:
    'claim_token is not that of a registration of this environment, or login_hint is not the address that a service_auth registration named. Send that address, or register again.',
});

export const invalidGrant = declareError({
  status: 400,
  code: 'invalid_grant',
  message:
    'The assertion or claim token is invalid, or its registration has expired or was revoked. An assertion can be refreshed only before it expires; afterwards register again.',
  form: 'oauth',
});

const pendingClaim = declareError({
  status: 400,
  code: 'authorization_pending',
  message: 'The claim is not completed yet. Poll again after five seconds.',
  form: 'oauth',
});

const expiredClaim = declareError({
  status: 400,
  code: 'expired_token',
  message: 'The claim has expired. Register again.',
  form: 'oauth',
});

const deniedClaim = declareError({
  status: 400,
  code: 'access_denied',
  message: 'The person declined, the registration was revoked, or agents are stopped here at present.',
  form: 'oauth',
});

/** The errors of grants of agents by their codes (RFC 6749 section 5.2, RFC 8628 section 3.5). */
export const grantErrors = {
  invalid_grant: invalidGrant,
  authorization_pending: pendingClaim,
  expired_token: expiredClaim,
  access_denied: deniedClaim,
};

export const unsupportedGrant = declareError({
  status: 400,
  code: 'unsupported_grant_type',
  message:
    'grant_type must be urn:ietf:params:oauth:grant-type:jwt-bearer with an assertion, or urn:workos:agent-auth:grant-type:claim with a claim_token.',
  form: 'oauth',
});

export const alreadyClaimed = declareError({
  status: 409,
  code: 'already_claimed',
  message: 'The registration has been claimed. Its agent continues with its assertion.',
});

export const claimExpired = declareError({
  status: 410,
  code: 'claim_expired',
  message:
    'The attempt or its registration has expired, or the registration was revoked. The agent must begin another attempt, or register again if that is rejected too.',
});

export const userCodeExpired = declareError({
  status: 410,
  code: 'user_code_expired',
  message: 'The code has expired. The agent must begin another attempt.',
});

export const claimDenied = declareError({
  status: 403,
  code: 'claim_denied',
  message:
    'The person declined, or the registration was revoked. If the person declined, the agent may begin another attempt; a revoked registration cannot be claimed.',
});

export const claimNotConfirmed = declareError({
  status: 400,
  code: 'claim_not_confirmed',
  message:
    'The person has not opened the link of the current attempt yet. Ask them to open it and send you the code that it shows.',
});

export const invalidUserCode = declareError({
  status: 400,
  code: 'invalid_user_code',
  message: 'The code is wrong. Ask the person again; a code can be tried five times.',
});
