import * as z from 'zod';

import { type BrowserDevice, browserDevice, readClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { findLoginFlow } from '../../modules/sign-in-flows/public.ts';
import { isChosenByPages } from '../../../tenancy/modules/trust/public.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { anyCaller, systemActor } from '../../../kernel/authentication/caller.ts';
import { declareError } from '../../../kernel/errors.ts';
import { clock } from '../../../kernel/clock.ts';
import { isFromBrowser } from '../../../kernel/http/browser.ts';
import { removeCookie } from '../../../kernel/http/cookies.ts';
import { messages } from '../../../kernel/http/error-response.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { PageFailure, withPages } from '../../../kernel/pages/error-page.ts';
import { plainSurroundings } from '../../../kernel/pages/surroundings.ts';
import { operation } from '../../../kernel/operation.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import { readTarget } from '../exchange/client.ts';
import { type Callback, exchange, type ProviderTokens } from '../exchange/exchange.ts';
import { toFault } from '../exchange/failure.ts';
import { configuredProvider } from '../provider/client.ts';
import { isFresh } from './reauthentication.ts';
import { continueSignIn, fail } from './conclude.ts';
import { type SignInSecrets, type SocialSignInRecord, socialSignIns } from './entity.ts';
import { startSocial, type Started } from './start.ts';
import { bindingOf, findSignIn, openSecrets } from './state.ts';

const text = z.string().max(8_192);

const signInEnded = declareError({
  status: 400,
  code: 'sign_in_ended',
  message:
    'The sign-in was already finished, has expired, or was started in another browser. Start again in the ' +
    'application.',
});

const errorForm = withPages(messages);

const endedSignIn = (request: IncomingRequest): PageFailure =>
  new PageFailure(signInEnded, async () => endingPage(await plainSurroundings(request), 'social.ended'));

const goTo = ({ location, cookies }: Started) => ({ status: 302 as const, headers: { location }, cookies });

const Start = z.object({ flow: z.string().max(255), provider: z.string().max(64).optional() });

const start = operation({
  id: 'social.start',
  method: 'GET',
  path: '/x/social/start',
  summary: 'Redirect the browser to a sign-in provider',
  description:
    'GET /user_management/authorize and the buttons of the hosted pages redirect here. Without `provider` the browser is ' +
    'redirected to the provider that the application requested.',
  auth: anyCaller,
  query: Start,
  responses: { 200: PageBody, 302: null },
  errors: [signInEnded],
  errorForm,
  emits: [],
  idempotency: 'none',
  async handle({ query, request }) {
    const flow = await findLoginFlow(query.flow);
    if (flow === undefined) throw endedSignIn(request);
    // Nothing that the browser sends replaces the application's choice.
    const provider = isChosenByPages(flow) ? (query.provider ?? flow.provider) : flow.provider;
    return goTo(await applyWork(flow.environmentId, systemActor, (unit) => startSocial(unit, flow, provider)));
  },
});

/** An authorization response (RFC 6749 section 4.1.2, RFC 9207); other parameters of a provider are ignored. */
const AuthorizationResponse = z.object({
  state: text.optional().describe('The `state` of the request to the provider.'),
  code: text.optional().describe('The authorization code of the provider.'),
  iss: text.optional(),
  error: text.optional(),
  error_description: text.optional(),
  user: text.optional().describe('The name and email that Apple sends at the first sign-in of a user.'),
});

/** The events of a sign-in through a provider. */
const socialEvents = [
  'authentication.oauth_succeeded',
  'authentication.oauth_failed',
  'action.authentication.denied',
  'action.user_registration.denied',
  'authentication.radar_risk_detected',
  'radar.challenge_created',
  'email_verification.created',
  'invitation.accepted',
  'organization_membership.created',
  'organization_membership.updated',
  'session.revoked',
  'user.created',
  'user.updated',
] as const;

const PATH = '/x/social/callback/{provider}/{client_id}';

const common = {
  path: PATH,
  auth: anyCaller,
  responses: { 200: PageBody, 302: null },
  errors: [signInEnded],
  errorForm,
  emits: socialEvents,
  idempotency: 'none',
} as const;

const receiveCallback = operation({
  ...common,
  id: 'social.callback',
  method: 'GET',
  summary: 'The redirect URI of a sign-in provider',
  description:
    'Receives the responses of one provider for one environment. It redirects to the application or to the hosted pages.',
  query: AuthorizationResponse,
  handle: async ({ params, query, request }) => receive(params, query, request),
});

const receiveForm = operation({
  ...common,
  id: 'social.callback_form',
  method: 'POST',
  summary: 'The redirect URI of a sign-in provider, for form responses',
  description: 'Does the same as GET for `response_mode=form_post`, which Apple uses.',
  body: AuthorizationResponse,
  form: true,
  handle: async ({ params, body, request }) => receive(params, body, request),
});

export const signInOperations = [start, receiveCallback, receiveForm] as const;

async function receive(
  params: { provider: string; client_id: string },
  response: z.output<typeof AuthorizationResponse>,
  request: IncomingRequest,
) {
  const { state = '' } = response;
  const record = await findSignIn(state);
  // The state must be of this provider, environment and browser and unused; otherwise the response reveals nothing.
  const isHere =
    record !== undefined &&
    record.provider === params.provider &&
    makeClientId(record.environmentId) === params.client_id &&
    isFromBrowser(request, bindingOf(record.id), record.browserHash);
  if (!isHere || !(await useUp(record))) throw endedSignIn(request);
  const secrets = openSecrets(record, state);
  const device = browserDevice(record.environmentId, request);
  const next = await complete(record, secrets, { ...response, state }, { request, device });
  if (next === undefined) throw endedSignIn(request);
  const spent = removeCookie(bindingOf(record.id));
  return goTo({ ...next, cookies: [...next.cookies, spent, device.cookie] });
}

/** Marks a sign-in as used, before any other effect. @returns false if it was used already */
async function useUp(record: SocialSignInRecord): Promise<boolean> {
  const unit = new Unit(record.environmentId, systemActor);
  unit.stage(socialSignIns.remove(record));
  return (await unit.commit()).kind === 'committed';
}

async function complete(
  { environmentId, provider, target }: SocialSignInRecord,
  { flowId, scopes, anew, ...binding }: SignInSecrets,
  { state, ...callback }: Callback & { state: string },
  { request, device }: { request: IncomingRequest; device: BrowserDevice },
): Promise<Started | undefined> {
  const origin = readClientContext('public', { device_id: device.deviceId }, request);
  const configured = await configuredProvider(environmentId, provider);
  if (configured === undefined || readTarget(configured.client) !== target) {
    const message = 'The provider’s configuration has changed since this sign-in began. Try again.';
    return fail(environmentId, flowId, origin, { code: 'provider_unavailable', message });
  }
  const exchanged = await exchange(configured.client, { ...binding, state }, callback).catch(toFault);
  if ('code' in exchanged) return fail(environmentId, flowId, origin, exchanged);
  const { profile, authenticatedAt = clock.now() } = exchanged;
  if (anew !== undefined && !isFresh(authenticatedAt, anew.sentAt, anew)) {
    const message = 'The provider did not ask the person to sign in again.';
    return fail(environmentId, flowId, origin, { code: 'login_required', message }, profile.email ?? null);
  }
  const provenAt = Math.min(authenticatedAt, clock.now());
  const tokens = configured.record.returnsTokens ? handedOn(provider, exchanged.tokens, scopes) : undefined;
  return continueSignIn(environmentId, flowId, origin, { provider, profile, provenAt, tokens });
}

/** A provider's tokens in the response to an application. */
const handedOn = (provider: string, tokens: ProviderTokens, asked: readonly string[]) => ({
  provider,
  accessToken: tokens.accessToken,
  refreshToken: tokens.refreshToken ?? '',
  // The value is zero for a token that does not expire.
  expiresAt: tokens.expiresAt ?? 0,
  scopes: tokens.scopes ?? asked,
});
