import * as z from 'zod';

import { browserDevice, readClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { browserValue, isFromBrowser } from '../../../kernel/http/browser.ts';
import { removeCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { operation } from '../../../kernel/operation.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { sentByPage } from '../../../kernel/pages/link.ts';
import { concludeTest } from '../test-sign-in/conclude.ts';
import { conclude } from './conclude.ts';
import { findConsentPage } from './consent-page.ts';
import type { ProviderResponse, SsoSignInRecord } from './entity.ts';
import { consentDenied, endedSignIn, errorForm, signInEnded } from './errors.ts';
import { bindingOf, findSignIn, decryptResponse, openSecrets } from './state.ts';

/** The events of the completion of a sign-in. */
const concludingEvents = [
  'authentication.sso_succeeded',
  'authentication.sso_failed',
  'action.authentication.denied',
  'action.user_registration.denied',
  'authentication.radar_risk_detected',
  'email_verification.created',
  'invitation.accepted',
  'organization_membership.created',
  'organization_membership.updated',
  'session.revoked',
  'user.created',
  'user.updated',
] as const;

const State = z.string().max(255).describe('The state of the sign-in at the identity provider.');

/**
 * Finds the sign-in of a state that has a response and belongs to this browser; otherwise the error reveals nothing.
 * @throws PageFailure `sign_in_ended`
 */
async function findRespondedSignIn(state: string, request: IncomingRequest) {
  const signIn = await findSignIn(state);
  const response = signIn && decryptResponse(signIn, state);
  const isHere = signIn !== undefined && isFromBrowser(request, bindingOf(signIn.id), signIn.browserHash);
  if (!isHere || response === undefined) throw endedSignIn(request);
  return { signIn, response, secrets: openSecrets(signIn, state) };
}

/** Ends the sign-in with a code or an error, and redirects the browser. @throws PageFailure `sign_in_ended` */
async function goOn(
  signIn: SsoSignInRecord,
  flowId: string | undefined,
  response: ProviderResponse,
  request: IncomingRequest,
) {
  const device = browserDevice(signIn.environmentId, request);
  const origin = readClientContext('public', { device_id: device.deviceId }, request);
  const next = flowId === undefined ? undefined : await conclude({ signIn, flowId, origin }, response);
  if (next === undefined) throw endedSignIn(request);
  const cookies = [...next.cookies, removeCookie(bindingOf(signIn.id)), device.cookie];
  return { status: 302 as const, headers: { location: next.location }, cookies };
}

const continueSso = operation({
  id: 'sso.continue',
  method: 'GET',
  path: '/x/sso/continue',
  summary: 'Continue a sign-in after its identity provider has responded',
  description:
    'The endpoints that receive the responses of identity providers redirect here. Only the browser that was sent to the ' +
    'provider can continue. After an unsolicited response that the connection allows, a page asks the person first.',
  auth: anyCaller,
  query: z.object({ state: State }),
  responses: { 200: PageBody, 302: null },
  errors: [signInEnded],
  errorForm,
  emits: concludingEvents,
  idempotency: 'none',
  async handle({ query: { state }, request }) {
    const { signIn, response, secrets } = await findRespondedSignIn(state, request);
    const { flowId, returnUrl, needsConsent } = secrets;
    if (signIn.purpose === 'test') return concludeTest(signIn, response, returnUrl, request);
    if (needsConsent !== true || response.kind === 'failure') return goOn(signIn, flowId, response, request);
    const binding = { value: browserValue(request, bindingOf(signIn.id)) ?? '', subject: state };
    const displayed = { flowId: flowId ?? '', email: response.identity.email };
    const page = await findConsentPage(signIn, displayed, binding, request);
    if (page === undefined) throw endedSignIn(request);
    return { status: 200, ...page };
  },
});

const Consent = z.object({
  state: State,
  proof: z
    .string()
    .max(255)
    .optional()
    .describe('A value that binds the form to the browser in which it was displayed.'),
  do: z.enum(['approve', 'deny']).describe('The decision of the person.'),
});

const decideSso = operation({
  id: 'sso.decide',
  method: 'POST',
  path: '/x/sso/continue',
  beyondContract: true,
  summary: 'Continue or cancel a sign-in that began at an identity provider',
  description:
    'Receives the form of the page that is shown after an unsolicited response. The form is accepted only from that page, in the browser that sent the response. If the person cancels, the application gets `signin_consent_denied`.',
  auth: anyCaller,
  body: Consent,
  form: true,
  responses: { 302: null },
  errors: [signInEnded],
  errorForm,
  emits: concludingEvents,
  idempotency: 'none',
  async handle({ body: { state, proof = '', do: decision }, request }) {
    const { signIn, response, secrets } = await findRespondedSignIn(state, request);
    const isSent = sentByPage(request, bindingOf(signIn.id), { subject: state, proof }) !== undefined;
    if (!isSent || secrets.needsConsent !== true || response.kind === 'failure') throw endedSignIn(request);
    const { email } = response.identity;
    const decided: ProviderResponse = decision === 'approve' ? response : { kind: 'failure', ...consentDenied, email };
    return goOn(signIn, secrets.flowId, decided, request);
  },
});

export const continueOperations = [continueSso, decideSso] as const;
