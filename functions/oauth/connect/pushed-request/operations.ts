import * as z from 'zod';

import { clientIdOfApplication, isDocumentUrl } from '../application/client-id.ts';
import { declareError } from '../../../kernel/errors.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { secret } from '../../../kernel/values.ts';
import { SERVER_PATH, serverOfClient } from '../../../sign-in/modules/authorization-server/public.ts';
import { chooseRedirectUri } from '../authorize/redirect-uri.ts';
import { checkRequest, isFault } from '../authorize/request.ts';
import { requestMembers } from '../authorize/schema.ts';
import type { ApplicationUri } from '../application/entity.ts';
import { findDocumentClient } from '../client-document/find.ts';
import { clientOfTokenRequest, invalidClient } from '../client-secret/credentials.ts';
import { clientMembers } from '../client-secret/schema.ts';
import { PUSHED_SECONDS, stagePushedRequest } from './request.ts';

/** The error that the authorization endpoint would have sent. Its code replaces the declared one (RFC 9126 section 2.3). */
const invalidRequest = declareError({
  status: 400,
  code: 'invalid_request',
  message:
    'A parameter of the authorization request is missing, invalid or sent more than once: `error_description` says which.',
  form: 'oauth',
});

const FAULTS = (
  [
    ['invalid_scope', 'The application has none of the scopes. Add them to the application, or request others.'],
    [
      'invalid_target',
      'resource must be one absolute URI that is registered with POST /user_management/hosted_oauth_resources.',
    ],
    ['unsupported_response_type', 'response_type is always "code".'],
    ['request_not_supported', 'Request objects are not supported. Send the parameters themselves.'],
  ] as const
).map(([code, message]) => declareError({ ...invalidRequest, code, message }));

const PushedRequest = z.object({ ...requestMembers, ...clientMembers }).meta({ id: 'OAuthPushedRequest' });

const PushedResponse = z
  .object({ request_uri: secret, expires_in: z.number().int() })
  .meta({ id: 'OAuthPushedResponse' });

/** The pushed authorization request endpoint (RFC 9126): the request is checked before a browser is involved. */
export const pushRequest = operation({
  id: 'oauth2.par',
  method: 'POST',
  path: `${SERVER_PATH}/par`,
  beyondContract: true,
  summary: 'Push an authorization request',
  description:
    'Stores the request for the browser (RFC 9126). The application authenticates as at the token endpoint and sends the parameters of GET …/authorize; the browser then only needs ' +
    '`client_id` and `request_uri`. An invalid request is rejected with the same `error` that `authorize` would send to the redirect URI.',
  auth: serverOfClient(invalidClient),
  browser: 'any-origin',
  body: PushedRequest,
  form: true,
  responses: { 201: PushedResponse },
  errorForm: oauthErrors,
  errors: [invalidClient, invalidRequest, ...FAULTS],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, request, unit, fail }) {
    const { client_id: named = '' } = body;
    const known = isDocumentUrl(named)
      ? await findDocumentClient(unit, { environmentId, url: named, address: request.sourceIp })
      : undefined;
    if (known !== undefined && 'fault' in known) throw fail(invalidClient, { message: known.fault });
    const { application } = await clientOfTokenRequest({ environmentId, request, body, unit, known });
    const registered = (application.redirectUris as ApplicationUri[]).map(({ uri }) => uri);
    if (chooseRedirectUri(registered, body.redirect_uri) === undefined) {
      throw fail(invalidRequest, { message: 'redirect_uri is not one of the application.' });
    }
    const { client_secret: _secret, client_assertion: _assertion, client_assertion_type: _type, ...sent } = body;
    // A client that identifies itself in the header or by an assertion need not name itself in the form.
    const members = { ...sent, client_id: clientIdOfApplication(application) };
    const given = Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const all = new URLSearchParams(given);
    const checked = await checkRequest(environmentId, members, all, application);
    if (isFault(checked)) {
      const { error, description: message } = checked;
      throw fail(FAULTS.find(({ code }) => code === error) ?? invalidRequest, { message });
    }
    const requestUri = stagePushedRequest(unit, {
      environmentId,
      applicationId: application.id,
      parameters: all.toString(),
    });
    return {
      status: 201,
      headers: { 'cache-control': 'no-store' },
      body: { request_uri: requestUri, expires_in: PUSHED_SECONDS },
    };
  },
});
