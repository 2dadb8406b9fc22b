import { awaitAll } from '../../../kernel/concurrency.ts';
import { clientIdOfApplication } from '../application/client-id.ts';
import { connectSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { Failure } from '../../../kernel/errors.ts';
import { issuerClaims } from '../../../kernel/tokens/issuer.ts';
import { signToken } from '../../../kernel/tokens/sign.ts';
import { findAudience } from '../../../tenancy/modules/client-settings/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { splitScopes } from '../authorize/scope.ts';
import { clientOfRequest } from '../client-secret/credentials.ts';
import { invalidScope, invalidTarget, unauthorizedClient } from './errors.ts';
import type { TokenGrant } from './grants.ts';

/** Issues a token to an `m2m` application for its organization (RFC 6749 section 4.4), in one round trip. */
export const grantToClient: TokenGrant = async ({ environmentId, body, request, unit }) => {
  const [application, audience, model, issued, settings] = await awaitAll([
    clientOfRequest({ environmentId, request, body, unit }),
    findAudience(environmentId, body.resource),
    loadModel(environmentId),
    issuerClaims(environmentId),
    findSettings(environmentId, connectSettings),
  ]);
  if (application.applicationType !== 'm2m') throw new Failure(unauthorizedClient);
  if (audience === null) throw new Failure(invalidTarget);
  const ownScopes = application.scopes.filter((scope) => model.permissionsBySlug.has(scope));
  const asked = splitScopes(body.scope);
  const scopes = asked.length === 0 ? ownScopes : ownScopes.filter((scope) => asked.includes(scope));
  if (asked.length > 0 && scopes.length === 0) throw new Failure(invalidScope);
  const clientId = clientIdOfApplication(application);
  const scope = scopes.join(' ');
  const claims = {
    iss: issued.iss,
    aud: audience ?? makeClientId(environmentId),
    sub: clientId,
    client_id: clientId,
    org_id: application.organizationId,
    scope,
  };
  const token = await signToken(environmentId, 'machine', claims, settings.access_token_seconds);
  return { access_token: token, token_type: 'Bearer', expires_in: settings.access_token_seconds, scope };
};
