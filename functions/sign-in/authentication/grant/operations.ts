import { invalidClient, signInClientInBody } from '../../../kernel/authentication/client.ts';
import { isOperatorsEnvironment } from '../../../kernel/authentication/environment-id.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { messages } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import type { SessionRecord } from '../../../tenancy/sessions/public.ts';
import { readClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { authorizationCodeGrant } from './authorization-code.ts';
import { findBrowserPage, failureToPage, replyToPage } from './browser.ts';
import type { GrantContext } from './context.ts';
import { emailVerificationGrant, organizationSelectionGrant, totpGrant } from './continuation.ts';
import { deviceGrant } from './device.ts';
import { emailCompletionGrant } from './email-completion.ts';
import { authenticateErrors, invalidRequest } from './errors.ts';
import { magicAuthGrant } from './magic-auth.ts';
import { passwordGrant } from './password.ts';
import { radarEmailGrant, radarSmsGrant } from './radar.ts';
import { refreshTokenGrant } from './refresh-token.ts';
import { Authenticate, AuthenticateResponse, isStandardGrant } from './schema.ts';
import { grantEvents } from './events.ts';

export const authenticate = operation({
  id: 'authentication.authenticate',
  method: 'POST',
  path: '/user_management/authenticate',
  summary: 'Sign a user in',
  description:
    'Exchanges a grant for the tokens of a session. If the sign-in needs a further step, the response is a 403 whose `code` names the step and which has a ' +
    '`pending_authentication_token`: it continues the sign-in, for ten minutes and one ' +
    'successful sign-in. A 403 `email_completion_required` has an `email_completion_token` instead. A 403 with neither token ends the sign-in at this endpoint: the method is disabled, or the second factor of the user is a passkey, which only the hosted pages accept. Errors have `code` and `message`, or `error` and `error_description` (see the guide [Errors](/docs/guides/errors)). A page of a ' +
    'registered origin can leave the refresh token in a cookie (`browser_refresh` of the settings).',
  auth: signInClientInBody,
  browser: true,
  credentials: true,
  form: true,
  body: Authenticate,
  responses: { 200: AuthenticateResponse },
  errorForm: { ...messages, malformed: 'oauth' },
  errors: authenticateErrors,
  memberErrors: { grant_type: invalidRequest },
  bodyError: (body) => (isStandardGrant(body) ? invalidRequest : undefined),
  emits: grantEvents,
  idempotency: 'none',
  async handle({ environmentId, body, caller, unit, fail, invalid, request, isFromRegisteredOrigin }) {
    // The only client of the operators is the console, which exchanges the codes of the hosted pages.
    const isOfOperators = isOperatorsEnvironment(environmentId);
    if (isOfOperators && body.grant_type !== 'authorization_code') throw fail(invalidClient);
    const settings = await findSettings(environmentId, signInSettings);
    const origin = readClientContext(caller.client ?? 'public', body, request);
    const page = await findBrowserPage({ caller, clientId: body.client_id, settings, request, isFromRegisteredOrigin });
    const opened: SessionRecord[] = [];
    const context: GrantContext = {
      environmentId,
      settings,
      origin,
      unit,
      fail,
      invalid,
      page,
      onSession: (session) => opened.push(session),
    };
    if (page === undefined) return { status: 200, body: await grant(context, body) };
    const response = await grant(context, body).catch((error: unknown) => {
      throw failureToPage(page, body, error);
    });
    const session = opened.at(-1);
    return { status: 200, ...(session === undefined ? { body: response } : replyToPage(page, session, response)) };
  },
});

function grant(context: GrantContext, body: Authenticate): Promise<AuthenticateResponse> {
  switch (body.grant_type) {
    case 'authorization_code':
      return authorizationCodeGrant(context, body);
    case 'password':
      return passwordGrant(context, body);
    case 'refresh_token':
      return refreshTokenGrant(context, body);
    case 'urn:ietf:params:oauth:grant-type:device_code':
      return deviceGrant(context, body);
    case 'urn:{vendor}:oauth:grant-type:magic-auth:code':
      return magicAuthGrant(context, body);
    case 'urn:{vendor}:oauth:grant-type:email-verification:code':
      return emailVerificationGrant(context, body);
    case 'urn:{vendor}:oauth:grant-type:mfa-totp':
      return totpGrant(context, body);
    case 'urn:{vendor}:oauth:grant-type:organization-selection':
      return organizationSelectionGrant(context, body);
    case 'urn:{vendor}:oauth:grant-type:radar-email-challenge:code':
      return radarEmailGrant(context, body);
    case 'urn:{vendor}:oauth:grant-type:radar-sms-challenge:code':
      return radarSmsGrant(context, body);
    case 'urn:{vendor}:oauth:grant-type:email-completion':
      return emailCompletionGrant(context, body);
  }
}

export const grantOperations = [authenticate] as const;
