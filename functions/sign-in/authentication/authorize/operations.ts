import { invalidClient, signInClientInQuery } from '../../../kernel/authentication/client.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { canonicalProvider } from '../../../kernel/compatibility.ts';
import { declareError } from '../../../kernel/errors.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { withPages } from '../../../kernel/pages/error-page.ts';
import { operation } from '../../../kernel/operation.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { settings } from '../../../kernel/settings.ts';
import { issuerOf } from '../../../kernel/tokens/issuer.ts';
import { isRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import { redirectTo } from '../../../kernel/http/callback.ts';
import { type AuthorizationParameters, startFlow } from '../../modules/sign-in-flows/public.ts';
import { readParameters, type RejectedRequest } from './rules.ts';
import { AuthorizeQuery } from './schema.ts';

/**
 * The error is shown in the browser and not sent to the redirect URI, which may belong to an attacker (RFC 6749 section
 * 4.1.2.1).
 */
const unknownRedirectUri = declareError({
  status: 400,
  code: 'invalid_request',
  message: 'The redirect_uri is not registered in this environment. Register it exactly as it is sent.',
  form: 'oauth',
});

export const authorize = operation({
  id: 'authentication.authorize',
  method: 'GET',
  path: '/user_management/authorize',
  summary: 'Start a sign-in in the browser (authorization URL)',
  description:
    'Redirects the browser to the hosted pages, a provider, or the connection of an organization. Afterwards `redirect_uri` receives `code`, ' +
    '`state` and `iss`, or `error`, `error_description`, `state` and `iss`. An error of the request is sent to `redirect_uri` too, by a 302. Only an unknown `client_id` or an unregistered `redirect_uri` is a 400, since the service never redirects to a URI that is not registered. ' +
    'Clients that accept only JSON (`Accept: application/json`) get 200 with the URL in the header `Location`.',
  auth: signInClientInQuery,
  query: AuthorizeQuery,
  responses: { 200: null, 302: null },
  errorForm: withPages(oauthErrors),
  errors: [invalidClient, unknownRedirectUri],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, unit, fail, request }) {
    if (!(await isRedirectUri(environmentId, query.redirect_uri))) throw fail(unknownRedirectUri);
    const provider = query.provider === undefined ? undefined : canonicalProvider(query.provider);
    const environment = await findEnvironment(environmentId);
    const issuer = environment && issuerOf(environment);
    const asked = readParameters(query, provider);
    const location = isRejected(asked)
      ? rejectionUrl(query, asked, issuer)
      : chooseStartPath(startFlow(unit, environmentId, { ...asked, issuer }));
    return { status: wantsRedirect(request) ? 302 : 200, headers: { location } };
  },
});

const isRejected = (asked: AuthorizationParameters | RejectedRequest): asked is RejectedRequest => 'error' in asked;

function rejectionUrl(
  { redirect_uri, state }: AuthorizeQuery,
  { error, description }: RejectedRequest,
  issuer?: string,
): string {
  return redirectTo({ redirectUri: redirect_uri, state, issuer }, { error, error_description: description });
}

/** The first page of a sign-in: a hosted page, or the provider or connection that the application names. */
function chooseStartPath({ provider, screenHint, pendingToken, id }: AuthorizationParameters & { id: string }): string {
  const hosted = pendingToken === undefined ? `/hosted/${screenHint}` : '/hosted/passkey';
  const starts: Readonly<Record<string, string>> = { hosted, sso: '/x/sso/start' };
  const path = starts[provider] ?? '/x/social/start';
  const url = new URL(`${settings().GATEHOUSE_BASE_URL}${path}`);
  url.searchParams.set('flow', id);
  return url.href;
}

/** A navigating browser follows a redirect; a script that requests JSON could not, and gets the address. */
const wantsRedirect = ({ headers }: IncomingRequest): boolean =>
  headers.accept === undefined || !/^application\/json\b/.test(headers.accept);

export const authorizeOperations = [authorize] as const;
