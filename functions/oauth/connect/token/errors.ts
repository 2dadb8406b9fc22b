import { declareError } from '../../../kernel/errors.ts';

/** The error for an unknown `grant_type` (RFC 6749 section 5.2). */
export const unsupportedGrantType = declareError({
  status: 400,
  code: 'unsupported_grant_type',
  message: 'The server does not support this grant. grant_types_supported in its metadata lists the supported ones.',
  form: 'oauth',
});

export const unauthorizedClient = declareError({
  status: 400,
  code: 'unauthorized_client',
  message:
    'This application may not use this grant: client_credentials is for m2m applications; the device authorization grant is for oauth applications that did not register themselves, if the sign-in settings allow `device_flow`.',
  form: 'oauth',
});

export const invalidScope = declareError({
  status: 400,
  code: 'invalid_scope',
  message: 'The application does not have these scopes. Add them to the application, or request others.',
  form: 'oauth',
});

/** The error of RFC 8707 section 2 for an unregistered resource. */
export const invalidTarget = declareError({
  status: 400,
  code: 'invalid_target',
  message: 'The resource is not registered. Register it with POST /user_management/hosted_oauth_resources.',
  form: 'oauth',
});

/** The error for an invalid code or refresh token (RFC 6749 section 5.2). */
export const invalidGrant = declareError({
  status: 400,
  code: 'invalid_grant',
  message: 'The code or refresh token is unknown, expired, revoked, used, or of another client. Authorize again.',
  form: 'oauth',
});

/** The error for a missing parameter (RFC 6749 section 5.2). */
export const missingParameter = declareError({
  status: 400,
  code: 'invalid_request',
  message: 'A parameter that this grant requires is missing.',
  form: 'oauth',
});

/** Declares an error of a device's poll (RFC 8628 section 3.5). */
const pollError = (code: string, message: string) => declareError({ status: 400, code, message, form: 'oauth' });

export const authorizationPending = pollError(
  'authorization_pending',
  'The user has not decided yet. Poll again after the interval.',
);
export const slowDown = pollError('slow_down', 'The device polls too often. Add five seconds to the interval.');
export const expiredToken = pollError('expired_token', 'The device code has expired. Start again.');
export const accessDenied = pollError('access_denied', 'The user denied the device.');
