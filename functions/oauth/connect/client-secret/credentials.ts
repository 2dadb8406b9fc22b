import { readBasic } from '../../../sign-in/modules/authorization-server/public.ts';
import { declareError, Failure } from '../../../kernel/errors.ts';
import { type ApplicationRecord, findApplication } from '../application/entity.ts';
import { isConfidential, isOwnPage } from '../application/rules.ts';
import { authenticateByAssertion } from '../client-assertion/authenticate.ts';
import { authenticateClient } from './authenticate.ts';
import type { ClientCall } from './client-call.ts';

/** The error of RFC 6749 section 5.2 for a client that is not authenticated. */
export const invalidClient = declareError({
  status: 401,
  code: 'invalid_client',
  message: 'The client is unknown, or its secret or assertion is not valid. Check client_id and the credentials.',
  form: 'oauth',
});

/** The header of a rejection of credentials in `Authorization` (RFC 6749 section 5.2). */
export const CHALLENGE = { 'www-authenticate': 'Basic realm="oauth2", charset="UTF-8"' };

/** Reports whether a request has client credentials. A `client_id` is not a credential. */
const hasCredentials = ({ request, body }: ClientCall): boolean =>
  request.headers.authorization !== undefined ||
  body.client_secret !== undefined ||
  body.client_assertion !== undefined;

/**
 * Finds the application of valid credentials. Returns undefined for invalid ones, and for more than one kind (RFC 6749
 * section 2.3).
 */
async function authenticate(call: ClientCall): Promise<ApplicationRecord | undefined> {
  const { environmentId, request, body } = call;
  const { client_id: named, client_secret: secret, client_assertion: assertion } = body;
  const inHeader = readBasic(request.headers.authorization);
  const inBody = secret === undefined ? undefined : { clientId: named ?? '', secret };
  const kinds = [inHeader, inBody, assertion].filter((one) => one !== undefined);
  if (kinds.length !== 1) return undefined;
  if (inHeader !== undefined && named !== undefined && named !== inHeader.clientId) return undefined;
  if (assertion !== undefined) return authenticateByAssertion(call, assertion);
  const given = inHeader ?? inBody;
  return given && authenticateClient(environmentId, given.clientId, given.secret);
}

/**
 * The application of a request, authenticated by the header `Authorization: Basic`, by `client_id` and `client_secret` in
 * the body (RFC 6749 section 2.3.1), in one round trip, or by an assertion (RFC 7523).
 * @throws Failure 401 without valid credentials, or with several kinds (RFC 6749 section 2.3)
 */
export async function clientOfRequest(call: ClientCall): Promise<ApplicationRecord> {
  const application = await authenticate(call);
  if (application !== undefined) return application;
  const { authorization } = call.request.headers;
  throw new Failure(invalidClient, authorization === undefined ? {} : { headers: CHALLENGE });
}

/** A client of the token endpoint: `confidential` if it authenticated. */
export interface TokenClient {
  application: ApplicationRecord;
  kind: 'confidential' | 'public';
}

/**
 * Finds the application of a request for a user's tokens, in one round trip. An application that has credentials must
 * authenticate. Others identify themselves by `client_id` (RFC 6749 section 3.2.1), and PKCE proves that the code is theirs.
 * @throws Failure 401, also for a page of an origin that the application does not have
 */
export async function clientOfTokenRequest(call: ClientCall): Promise<TokenClient> {
  const client = await identifyClient(call);
  if (isOwnPage(client.application, call.request.headers.origin)) return client;
  const message = 'Pages of this origin may not act for the application. Add the origin to its cors_origins.';
  throw new Failure(invalidClient, { message });
}

async function identifyClient(call: ClientCall): Promise<TokenClient> {
  if (hasCredentials(call)) return { application: await clientOfRequest(call), kind: 'confidential' };
  const application = call.known ?? (await findApplication(call.environmentId, call.body.client_id ?? ''));
  if (application === undefined || isConfidential(application)) throw new Failure(invalidClient);
  return { application, kind: 'public' };
}
