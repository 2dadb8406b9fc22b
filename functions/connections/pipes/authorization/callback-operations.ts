import * as oauth from 'oauth4webapi';
import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { isFromBrowser } from '../../../kernel/http/browser.ts';
import { log } from '../../../kernel/log.ts';
import { operation } from '../../../kernel/operation.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { accountEvents } from '../connected-account/stage.ts';
import { ProviderFailure } from '../oauth/failure.ts';
import { makeServer } from '../oauth/server.ts';
import { exchangeCode } from '../oauth/token-endpoint.ts';
import { identifyAccount } from './account.ts';
import { type AuthorizationFailure, connect, failureEvents, reportFailure, useUp } from './complete.ts';
import type { AuthorizationRecord } from './entity.ts';
import { storeGrant } from './finish-operations.ts';
import { type AuthorizationContext, findContext } from './request.ts';
import { connectErrorForm, endedLink, linkEnded, startedBy } from './start-operations.ts';
import { endAuthorization, notConnected, type Result } from './result.ts';
import { findAuthorization } from './token.ts';
import { cutText } from '../../../kernel/text.ts';

const text = z.string().max(8_192);

/** An authorization response (RFC 6749 section 4.1.2, RFC 9207), with any further members that a provider sends. */
const Callback = z
  .object({
    state: text.optional(),
    code: text.optional(),
    iss: text.optional(),
    error: text.optional(),
    error_description: text.optional(),
  })
  .catchall(text);

/** The redirect endpoint, to which a provider sends the browser back. */
export const receiveCallback = operation({
  id: 'pipes.callback',
  method: 'GET',
  path: '/x/data-integrations/callback/{redirect_key}',
  summary: 'The redirect URI of an integration’s provider',
  description: 'It shows the result, or redirects to `return_to`.',
  auth: anyCaller,
  query: Callback,
  responses: { 200: PageBody, 302: null },
  errors: [linkEnded, notConnected],
  errorForm: connectErrorForm,
  emits: [...accountEvents, ...failureEvents],
  idempotency: 'none',
  async handle({ params, query, request }) {
    const record = await findAuthorization(query.state ?? '');
    // The state is unknown, used, or of another integration or browser, and the response reveals nothing.
    if (record?.stage !== 'started' || record.redirectKey !== params.redirect_key) throw endedLink(request);
    if (record.browserHash !== undefined && !isFromBrowser(request, startedBy(record), record.browserHash))
      throw endedLink(request);
    if (!(await useUp(record))) throw endedLink(request);
    const { failure, name, connectCode } = await complete(record, given(query));
    if (failure !== undefined) await reportFailure(record, failure);
    return endAuthorization(request, record, name, { failure, connectCode });
  },
});

type Query = Readonly<Record<string, string>>;

/** The members of the query that are present. */
const given = (query: Readonly<Record<string, string | undefined>>): Query =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined));

async function complete(record: AuthorizationRecord, query: Query): Promise<Result & { name: string }> {
  const context = await findContext(record);
  if (context === undefined) {
    const reason = 'The integration or the account was deleted or changed.';
    const failure = { code: 'data_integration_changed', reason, providerError: null, providerDescription: null };
    return { failure, name: record.slug };
  }
  const { name } = context.definition;
  try {
    const tokens = await tokensFor(context, query);
    const identity = await identifyAccount(context, tokens, query);
    const grant = { tokens, identity };
    if (record.codeChallenge !== undefined)
      return { connectCode: await storeGrant(record, context.secrets, grant), name };
    return { failure: await connect(record, context.secrets, grant), name };
  } catch (error) {
    return { failure: toFailure(error), name };
  }
}

/** Checks the provider's response (RFC 6749 section 4.1.2, RFC 9207) and exchanges its code. */
async function tokensFor(context: AuthorizationContext, query: Query) {
  const { definition, client, secrets, values, redirectUri } = context;
  if (definition.oauth === undefined) throw new ProviderFailure('malformed');
  const server = makeServer(definition, definition.oauth, values);
  const as = { issuer: issuerOf(server.issuer, definition.oauth.issuer, query.iss) };
  const parameters = oauth.validateAuthResponse(
    as,
    { client_id: client.clientId },
    new URLSearchParams(query),
    query.state ?? oauth.expectNoState,
  );
  return exchangeCode(server, client, { parameters, redirectUri, verifier: secrets.verifier });
}

/**
 * The issuer that a response must have if it contains one. If the provider's issuer is not known, any issuer on the host of
 * its authorization endpoint is accepted: each integration has its own redirect URI, so responses cannot be mixed up.
 */
function issuerOf(fallback: string, known: string | undefined, returned: string | undefined): string {
  if (known !== undefined || returned === undefined || !URL.canParse(returned)) return fallback;
  return new URL(returned).origin === fallback ? returned : fallback;
}

function toFailure(error: unknown): AuthorizationFailure {
  if (error instanceof ProviderFailure) {
    const { kind, providerError, providerDescription } = error;
    return { code: kind, reason: error.message, providerError, providerDescription };
  }
  if (error instanceof oauth.AuthorizationResponseError) {
    const description = error.error_description === undefined ? null : cutText(error.error_description, 0, 500);
    const errorCode = cutText(error.error, 0, 200);
    const code = /^[\w.-]{1,64}$/.test(errorCode) ? errorCode : 'provider_error';
    return {
      code,
      reason: 'The provider rejected the request.',
      providerError: errorCode,
      providerDescription: description,
    };
  }
  if (error instanceof oauth.OperationProcessingError) {
    const reason = 'The provider’s response does not belong to this request.';
    return { code: 'invalid_response', reason, providerError: null, providerDescription: null };
  }
  log.error('a connection was not completed', { error });
  const reason = 'The service failed; try again.';
  return { code: 'internal_error', reason, providerError: null, providerDescription: null };
}

export const authorizationCallbackOperations = [receiveCallback] as const;
