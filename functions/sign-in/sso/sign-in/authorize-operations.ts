import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { failFlow, findEventOrigin, findLoginFlow, startFlow } from '../../modules/sign-in-flows/public.ts';
import { readClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { clientInQuery, invalidClient } from '../../../kernel/authentication/client.ts';
import { anyCaller, systemActor } from '../../../kernel/authentication/caller.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { declareError } from '../../../kernel/errors.ts';
import { browserValue, newBrowserValue } from '../../../kernel/http/browser.ts';
import { redirectTo } from '../../../kernel/http/callback.ts';
import { setCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { PageFailure, withPages } from '../../../kernel/pages/error-page.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { plainSurroundings } from '../../../kernel/pages/surroundings.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { isRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import { issuerOf } from '../../../kernel/tokens/issuer.ts';
import { requiredReauthentication } from '../../social/public.ts';
import { AuthorizeSso, readParameters, SsoAuthorizeUrl } from './authorize-schema.ts';
import { endedSignIn, errorForm, relayStateDropped, signInEnded } from './errors.ts';
import { ssoEvents } from './events.ts';
import { isRejected, selectConnection, selectForFlow } from './select.ts';
import { ssoSignIns } from './entity.ts';
import { type Started, startSso } from './start.ts';
import { mintState, stateOfFlow } from './state.ts';

const unknownRedirectUri = declareError({
  status: 400,
  code: 'invalid_request',
  message: 'The redirect_uri is not registered in this environment. Register it exactly as it is sent.',
  form: 'oauth',
});

const wantsJson = ({ headers }: IncomingRequest): boolean => /^application\/json\b/.test(headers.accept ?? '');

const authorizeSso = operation({
  id: 'sso.authorize',
  method: 'GET',
  path: '/sso/authorize',
  summary: 'Start single sign-on in the browser (authorization URL)',
  description:
    'Exactly one of `connection`, `organization`, `provider` and `domain` selects the connection. Afterwards `redirect_uri` receives ' +
    '`code` and `state`, or `error` and `error_description`. Clients that accept only JSON get 200 with a URL of the ' +
    'service that can be opened once.',
  auth: clientInQuery,
  query: AuthorizeSso,
  responses: { 200: SsoAuthorizeUrl, 302: null },
  errorForm: withPages(oauthErrors),
  errors: [invalidClient, unknownRedirectUri],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, unit, fail, request }) {
    const [isRegistered, selected, environment] = await awaitAll([
      isRedirectUri(environmentId, query.redirect_uri),
      selectConnection(environmentId, query),
      findEnvironment(environmentId),
    ]);
    if (!isRegistered) throw fail(unknownRedirectUri);
    const issuer = environment && issuerOf(environment);
    const application = { redirectUri: query.redirect_uri, state: query.state, issuer };
    const asked = readParameters(query);
    const rejected = 'error' in asked ? asked : isRejected(selected) ? selected : undefined;
    const url =
      rejected === undefined && !('error' in asked) && !isRejected(selected)
        ? makeStartUrl(startFlow(unit, environmentId, { ...application, ...asked, ...selected, isForProfile: true }))
        : redirectTo(application, { error: rejected?.error ?? '', error_description: rejected?.description ?? '' });
    return wantsJson(request) ? { status: 200, body: { url } } : { status: 302, headers: { location: url } };
  },
});

const makeStartUrl = ({ provider, id }: { provider: string; id: string }): string =>
  `${settings().GATEHOUSE_BASE_URL}${provider === 'sso' ? '/x/sso/start' : '/x/social/start'}?flow=${id}`;

const Start = z.object({
  flow: z.string().max(255),
  connection: z.string().max(255).optional(),
  bounced: z.literal('1').optional(),
  login_hint: z.string().max(2_048).optional(),
});

const start = operation({
  id: 'sso.start',
  method: 'GET',
  path: '/x/sso/start',
  summary: 'Redirect the browser to the identity provider of a connection',
  description:
    'GET /sso/authorize, GET /user_management/authorize and the hosted pages redirect here. Without `connection` the ' +
    'browser is redirected to the connection that the application selected.',
  auth: anyCaller,
  query: Start,
  responses: { 200: PageBody, 302: null },
  errors: [signInEnded, relayStateDropped],
  errorForm,
  emits: ssoEvents,
  idempotency: 'none',
  async handle({ query, request }) {
    const flow = await findLoginFlow(query.flow);
    if (flow === undefined) throw endedSignIn(request);
    const { environmentId } = flow;
    const selected = await selectForFlow(flow, query.connection);
    if ('error' in selected) {
      return { status: 302, headers: { location: failFlow(flow, selected.error, selected.description) } };
    }
    const { record } = selected;
    const bounce = { purpose: 'sso_bounce' as const, id: record.id };
    const isBounced = query.bounced === '1';
    // A second response without RelayState within a minute shows that the provider removes it, and would do so again.
    if (isBounced && browserValue(request, bounce) !== undefined) {
      const lead = relayStateDropped.message;
      throw new PageFailure(relayStateDropped, endingPage(await plainSurroundings(request), 'error', { lead }));
    }
    const isForProfile = flow.isForProfile === true;
    // A flow of GET /sso/authorize starts only one sign-in, so its state is derived from the flow. The hosted pages may
    // redirect to a provider several times, each time with a new state.
    const key = isForProfile ? stateOfFlow(environmentId, flow.id) : mintState(environmentId);
    const purpose = isForProfile ? 'sso' : 'user_management';
    const asked = {
      ...flow,
      record,
      purpose,
      key,
      flowId: flow.id,
      origin: findEventOrigin(flow),
      // The address that the user entered at the hosted pages. The application may not know it.
      loginHint: query.login_hint ?? flow.loginHint,
      reauthentication: requiredReauthentication(flow),
    } as const;
    let started: Started | undefined;
    await applyWork(environmentId, systemActor, async (unit) => {
      unit.setOrigin(asked.origin);
      const isStarted = isForProfile && (await ssoSignIns.get(environmentId, key.id)) !== undefined;
      started = isStarted ? undefined : await startSso(unit, asked, readClientContext('public', {}, request));
    });
    if (started === undefined) throw endedSignIn(request);
    const marks = isBounced ? [setCookie(bounce, newBrowserValue())] : [];
    return { status: 302, headers: { location: started.location }, cookies: [...started.cookies, ...marks] };
  },
});

export const authorizeOperations = [authorizeSso, start] as const;
