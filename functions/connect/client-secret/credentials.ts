import { declareError, Failure } from '../../kernel/errors.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { type ApplicationRecord, findApplication } from '../application/entity.ts';
import { isConfidential } from '../application/rules.ts';
import { authenticateClient } from './authenticate.ts';

/** The error of RFC 6749 section 5.2 for a client that is not authenticated. */
export const invalidClient = declareError({
  status: 401,
  code: 'invalid_client',
  message: 'The client is unknown, or the secret is not one of its secrets. Check client_id and client_secret.',
  form: 'oauth',
});

const CHALLENGE = { 'www-authenticate': 'Basic realm="oauth2", charset="UTF-8"' };

interface Credentials {
  clientId: string;
  secret: string;
}

/**
 * The application of a request, authenticated by the header `Authorization: Basic` or by `client_id` and `client_secret` in
 * the body (RFC 6749 section 2.3.1), in one round trip.
 * @throws Failure 401 without valid credentials, or with both kinds (section 2.3)
 */
export async function clientOfRequest(
  environmentId: string,
  { headers }: Pick<IncomingRequest, 'headers'>,
  body: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<ApplicationRecord> {
  const inHeader = readBasic(headers.authorization);
  const inBody =
    body.client_secret === undefined ? undefined : { clientId: body.client_id ?? '', secret: body.client_secret };
  const isContradiction =
    inHeader !== undefined &&
    (inBody !== undefined || (body.client_id !== undefined && body.client_id !== inHeader.clientId));
  const given = isContradiction ? undefined : (inHeader ?? inBody);
  const application = given && (await authenticateClient(environmentId, given.clientId, given.secret));
  if (application !== undefined) return application;
  throw new Failure(invalidClient, headers.authorization === undefined ? {} : { headers: CHALLENGE });
}

/** A client of the token endpoint: `confidential` if it authenticated. */
export interface TokenClient {
  application: ApplicationRecord;
  kind: 'confidential' | 'public';
}

/**
 * Finds the application of a request for a user's tokens, in one round trip. An application that has credentials must
 * authenticate. Others identify themselves by `client_id` (RFC 6749 section 3.2.1), and PKCE proves that the code is theirs.
 * @throws Failure 401
 */
export async function clientOfTokenRequest(
  environmentId: string,
  request: Pick<IncomingRequest, 'headers'>,
  body: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<TokenClient> {
  if (request.headers.authorization !== undefined || body.client_secret !== undefined) {
    return { application: await clientOfRequest(environmentId, request, body), kind: 'confidential' };
  }
  const application = await findApplication(environmentId, body.client_id ?? '');
  if (application === undefined || isConfidential(application)) throw new Failure(invalidClient);
  return { application, kind: 'public' };
}

/** The id and the secret are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function readBasic(authorization: string | undefined): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    const [clientId = '', secret = ''] = [id, rest.join(':')].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
    return { clientId, secret };
  } catch {
    return undefined;
  }
}
