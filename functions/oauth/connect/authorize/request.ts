import { awaitAll } from '../../../kernel/concurrency.ts';
import type { AuthorizationRequest } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { findAudience } from '../../../tenancy/modules/client-settings/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import { needsChallenge } from '../application/rules.ts';
import type { RequestFault } from './fault.ts';
import { findPkceFault } from './pkce.ts';
import { findPromptFault } from './prompt.ts';
import { findResourceFault } from './resource.ts';
import type { AuthorizeRequest } from './schema.ts';
import { grantableScopes, splitScopes } from './scope.ts';

/** Parameters that a request may contain only once (RFC 6749 section 3.1). */
const ONCE = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'code_challenge', 'nonce', 'prompt'];

/** A checked request: the parameters of the sign-in without the redirect URI, which is checked before. */
export type CheckedRequest = Omit<
  AuthorizationRequest,
  'redirectUri' | 'issuer' | 'environmentId' | 'id' | 'record' | 'application'
> & { scopes: readonly string[]; resource?: string | undefined; nonce?: string | undefined };

/** The checks that need no read, in the order in which their errors are reported. */
function findFault(asked: AuthorizeRequest, all: URLSearchParams, application: ApplicationRecord) {
  const repeated = ONCE.find((name) => all.getAll(name).length > 1);
  const invalid = (description: string): RequestFault => ({ error: 'invalid_request', description });
  if (repeated !== undefined) return invalid(`${repeated} is sent more than once.`);
  if (asked.request !== undefined) {
    const description = 'Request objects are not supported; send the parameters themselves, or push them.';
    return { error: 'request_not_supported' as const, description };
  }
  if (asked.response_type === undefined) return invalid('response_type is required; it is always "code".');
  if (asked.response_type !== 'code') {
    return { error: 'unsupported_response_type' as const, description: 'response_type is always "code".' };
  }
  if (asked.response_mode !== undefined && asked.response_mode !== 'query') {
    return invalid('response_mode is always "query".');
  }
  return (
    findPkceFault(asked, needsChallenge(application)) ??
    findPromptFault(asked.prompt, asked.max_age) ??
    findResourceFault(all.getAll('resource'))
  );
}

/**
 * Checks a request whose client and redirect URI are valid, in at most two round trips.
 * @param all The parameters as they were sent, including repeated ones
 * @returns the parameters of the sign-in, or the error for the application
 */
export async function checkRequest(
  environmentId: string,
  asked: AuthorizeRequest,
  all: URLSearchParams,
  application: ApplicationRecord,
): Promise<CheckedRequest | RequestFault> {
  const fault = findFault(asked, all, application);
  if (fault !== undefined) return fault;
  const [model, audience] = await awaitAll([
    loadModel(environmentId),
    asked.resource === undefined ? undefined : findAudience(environmentId, asked.resource),
  ]);
  if (audience === null) {
    return { error: 'invalid_target', description: 'The resource is not registered in this environment.' };
  }
  const named = splitScopes(asked.scope);
  const scopes = grantableScopes(named, application.scopes, (slug) => model.permissionsBySlug.has(slug));
  if (scopes.length === 0) {
    return { error: 'invalid_scope', description: 'The application has none of these scopes.' };
  }
  return {
    state: asked.state,
    codeChallenge: asked.code_challenge,
    provider: 'hosted',
    organizationId: asked.organization_id,
    loginHint: asked.login_hint,
    screenHint: asked.screen_hint === 'sign-up' || asked.prompt === 'create' ? 'sign-up' : 'sign-in',
    uiLocales: asked.ui_locales,
    prompt: asked.prompt,
    maxAge: asked.max_age === undefined ? undefined : Number(asked.max_age),
    scopes,
    resource: audience,
    nonce: asked.nonce,
  };
}

export const isFault = (checked: CheckedRequest | RequestFault): checked is RequestFault => 'error' in checked;
