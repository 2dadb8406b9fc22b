import { isChallenge } from '../../../kernel/authentication/code-exchange.ts';
import type { AuthorizationParameters } from '../../modules/sign-in-flows/public.ts';
import { IDENTITY_PROVIDERS } from '../../../proofs/modules/credentials/public.ts';
import type { AuthorizeQuery } from './schema.ts';

/** The reasons for rejecting a request, which the application gets at its redirect URI (RFC 6749 section 4.1.2.1). */
export interface RejectedRequest {
  error: 'invalid_request' | 'unsupported_response_type' | 'unauthorized_client';
  description: string;
}

const invalid = (description: string): RejectedRequest => ({ error: 'invalid_request', description });

/** Parses the request after the redirect URI was checked, or returns the reason for its rejection. */
export function readParameters(
  query: AuthorizeQuery,
  provider: string | undefined,
): AuthorizationParameters | RejectedRequest {
  const isOfConnection = query.connection_id !== undefined || query.organization_id !== undefined;
  const named = provider ?? (isOfConnection ? 'sso' : undefined);
  const fault = findFault(query, named);
  if (fault !== undefined || named === undefined) return fault ?? invalid('provider is required.');
  return {
    redirectUri: query.redirect_uri,
    state: query.state,
    codeChallenge: query.code_challenge,
    provider: named,
    connectionId: query.connection_id,
    providerScopes: query.provider_scopes,
    providerQueryParams: query.provider_query_params,
    organizationId: query.organization_id,
    domainHint: query.domain_hint,
    loginHint: query.login_hint,
    screenHint: query.screen_hint === 'sign-up' ? 'sign-up' : 'sign-in',
    invitationToken: query.invitation_token,
    pendingToken: query.pending_authentication_token,
    uiLocales: query.ui_locales,
    prompt: query.prompt,
    maxAge: query.max_age === undefined ? undefined : Number(query.max_age),
    analytics: readAnalytics(query),
  };
}

/** The analytics ids of a request; undefined if it has none. */
function readAnalytics(query: AuthorizeQuery): AuthorizationParameters['analytics'] {
  const { analytics_client_id, analytics_sessions, ajs_anonymous_id } = query;
  const all = { analytics_client_id, analytics_sessions, ajs_anonymous_id };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function findFault(query: AuthorizeQuery, provider: string | undefined): RejectedRequest | undefined {
  if (query.response_type === '') return invalid('response_type is required; it is always "code".');
  if (query.response_type !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type is always "code".' };
  }
  return challengeFault(query) ?? methodFault(query, provider) ?? hintFault(query, provider);
}

/** Checks the challenge (RFC 7636 section 4.3). The method `plain` is rejected, because it protects nothing. */
function challengeFault({ code_challenge: challenge, code_challenge_method: method }: AuthorizeQuery) {
  if (challenge === undefined) {
    return method === undefined ? undefined : invalid('code_challenge_method needs a code_challenge.');
  }
  if (method !== 'S256') return invalid('code_challenge_method must be "S256".');
  return isChallenge(challenge) ? undefined : invalid('code_challenge must be 32 bytes in base64url.');
}

function methodFault(query: AuthorizeQuery, provider: string | undefined): RejectedRequest | undefined {
  const { connection_id: connection } = query;
  if (connection !== undefined && provider !== 'sso') {
    return invalid('Only one of provider and connection_id can be sent.');
  }
  if (provider === undefined) return invalid('One of provider, connection_id and organization_id is required.');
  const isKnown = ['hosted', 'sso', ...IDENTITY_PROVIDERS].includes(provider);
  // `sso` is not a provider of the contract: it selects the connection or organization of the query.
  const isNamed = query.provider === undefined || provider !== 'sso';
  return isKnown && isNamed ? undefined : invalid('provider is not one of the values in the reference.');
}

function hintFault(query: AuthorizeQuery, provider: string | undefined): RejectedRequest | undefined {
  const { screen_hint: screen, max_age: maxAge, pending_authentication_token: pending } = query;
  if (pending !== undefined && provider !== 'hosted') {
    return invalid('pending_authentication_token needs the provider "hosted".');
  }
  if (screen !== undefined && !['sign-up', 'sign-in'].includes(screen)) {
    return invalid('screen_hint is "sign-up" or "sign-in".');
  }
  if (maxAge === undefined) return undefined;
  if (!/^\d{1,9}$/.test(maxAge)) return invalid('max_age is a whole number of seconds.');
  const isSupported = provider === 'hosted' || provider === 'sso';
  return isSupported ? undefined : invalid('max_age is only supported by the provider "hosted" and by connections.');
}
