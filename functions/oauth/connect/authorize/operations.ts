import { isDocumentUrl } from '../application/client-id.ts';
import { startFlow } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { declareError, Failure } from '../../../kernel/errors.ts';
import { redirectTo } from '../../../kernel/http/callback.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { operation } from '../../../kernel/operation.ts';
import { isOwnOrigin } from '../../../kernel/own-origin.ts';
import { withPages } from '../../../kernel/pages/error-page.ts';
import { settings } from '../../../kernel/settings.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { issuerOf } from '../../../kernel/tokens/issuer.ts';
import { type ApplicationRecord, type ApplicationUri, findApplication } from '../application/entity.ts';
import { findDocumentClient } from '../client-document/find.ts';
import { connectSettings, SERVER_PATH, serverOfClient } from '../../../sign-in/modules/authorization-server/public.ts';
import { findPushedRequest } from '../pushed-request/request.ts';
import { chooseRedirectUri } from './redirect-uri.ts';
import { checkRequest, isFault } from './request.ts';
import { AuthorizeRequest } from './schema.ts';

/**
 * The error for an invalid client or redirect URI is shown in the browser and never sent by a redirect (RFC 6749 section
 * 4.1.2.1).
 */
const unknownClient = declareError({
  status: 400,
  code: 'invalid_client',
  message: 'The client_id is that of no application that signs users in. Check it.',
  form: 'oauth',
});

const unknownRedirectUri = declareError({
  status: 400,
  code: 'invalid_request',
  message: 'The redirect_uri is not one of the application. Register it exactly as it is sent.',
  form: 'oauth',
});

/**
 * The error for an unknown pushed request is shown in the browser, because the redirect URI is unknown too (RFC 9126 section
 * 2.2).
 */
const unknownRequestUri = declareError({
  status: 400,
  code: 'invalid_request_uri',
  message: 'The request_uri is unknown, expired or of another application. Push the request again.',
  form: 'oauth',
});

const common = {
  path: `${SERVER_PATH}/authorize`,
  beyondContract: true,
  auth: serverOfClient(unknownClient),
  responses: { 302: null },
  errorForm: withPages(oauthErrors),
  errors: [unknownClient, unknownRedirectUri, unknownRequestUri],
  emits: [],
  idempotency: 'none',
} as const;

const DOCUMENT_FAULT = 'The metadata document of the client cannot be used.';

interface Asked {
  environmentId: string;
  asked: AuthorizeRequest;
  all: URLSearchParams;
  unit: Unit<never>;
}

/**
 * The address to which the browser is redirected: that of the pages, or that of the application with an error. Without one,
 * the browser gets an error page.
 */
async function start(
  { environmentId, asked, all, unit }: Asked,
  application: ApplicationRecord,
  redirectUri: string,
): Promise<string> {
  const environment = await findEnvironment(environmentId);
  const issuer = environment && issuerOf(environment);
  const checked = await checkRequest(environmentId, asked, all, application);
  if (isFault(checked)) {
    const { error, description } = checked;
    return redirectTo({ redirectUri, state: asked.state, issuer }, { error, error_description: description });
  }
  const { scopes, resource, nonce, ...parameters } = checked;
  const flow = startFlow(unit, environmentId, {
    ...parameters,
    redirectUri,
    issuer,
    application: { id: application.id, scopes, resource, nonce, isUriNamed: asked.redirect_uri !== undefined },
  });
  const { login_uri: loginUri } = await findSettings(environmentId, connectSettings);
  const page = loginUri === null ? parameters.screenHint : 'external';
  const url = new URL(`${settings().GATEHOUSE_BASE_URL}/hosted/${page}`);
  url.searchParams.set('flow', flow.id);
  return url.href;
}

const readUris = ({ redirectUris }: ApplicationRecord): string[] =>
  (redirectUris as ApplicationUri[]).map(({ uri }) => uri);

/** The parameters in the form in which they were sent; some may be repeated. */
const allParameters = ({ method, rawQuery, rawBody }: IncomingRequest): URLSearchParams =>
  new URLSearchParams(method === 'POST' ? rawBody : rawQuery);

/**
 * Finds the application of a client id, and fetches its metadata document if the client id is a URL.
 * @throws Failure 400, which the browser shows
 */
async function findClient({ environmentId, asked, unit }: Omit<Asked, 'all'>, address: string) {
  const { client_id: clientId = '' } = asked;
  if (!isDocumentUrl(clientId)) {
    const application = await findApplication(environmentId, clientId);
    if (application?.applicationType !== 'oauth') throw new Failure(unknownClient);
    return application;
  }
  const found = await findDocumentClient(unit, { environmentId, url: clientId, address });
  if ('fault' in found) throw new Failure(unknownClient, { message: `${DOCUMENT_FAULT} ${found.fault}` });
  return found;
}

/** Starts the authorization that a request asks for. @throws Failure 400, which the browser shows */
async function authorize(call: Omit<Asked, 'all'>, request: IncomingRequest) {
  const { environmentId, unit } = call;
  const application = await findClient(call, request.sourceIp);
  const { request_uri: requestUri } = call.asked;
  const pushed = requestUri && (await findPushedRequest(environmentId, application.id, requestUri));
  if (requestUri !== undefined && !pushed) throw new Failure(unknownRequestUri);
  const asked = pushed ? AuthorizeRequest.parse(Object.fromEntries(pushed)) : call.asked;
  const redirectUri = chooseRedirectUri(readUris(application), asked.redirect_uri);
  // A fetched document is stored even if the request is rejected, so that the next request does not fetch it again.
  if (redirectUri === undefined || isOwnOrigin(redirectUri)) {
    throw new Failure(unknownRedirectUri, { commitOnFailure: true });
  }
  const all = pushed || allParameters(request);
  const location = await start({ environmentId, asked, all, unit }, application, redirectUri);
  return { status: 302 as const, headers: { location } };
}

const authorizeByGet = operation({
  ...common,
  id: 'oauth2.authorize',
  method: 'GET',
  summary: 'Start the authorization of an application in the browser',
  description:
    'Starts the authorization code flow of RFC 6749 section 4.1 with PKCE. The user signs in on the hosted pages and, for a third-party application, consents; then ' +
    '`redirect_uri` receives `code`, `state` and `iss` (RFC 9207), or `error` and `error_description`. Nothing is sent to a URI that the ' +
    'application has not registered. `client_id` may be the URL of a metadata document, if the settings allow unknown applications.',
  query: AuthorizeRequest,
  handle: ({ environmentId, query, unit, request }) => authorize({ environmentId, asked: query, unit }, request),
});

/** The same operation by POST, for requests that are too long for a URL (OpenID Connect Core section 3.1.2.1). */
const authorizeByPost = operation({
  ...common,
  id: 'oauth2.authorize_by_post',
  method: 'POST',
  summary: 'Start the authorization of an application in the browser, by a form',
  description: 'Does the same as GET, with the parameters in the form.',
  body: AuthorizeRequest,
  form: true,
  handle: ({ environmentId, body, unit, request }) => authorize({ environmentId, asked: body, unit }, request),
});

export const authorizeOperations = [authorizeByGet, authorizeByPost] as const;
