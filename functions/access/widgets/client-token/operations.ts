import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { operation } from '../../../kernel/operation.ts';
import { bearerOfToken, claimsOfCaller } from '../../../kernel/tokens/authenticator.ts';
import { issuerClaims } from '../../../kernel/tokens/issuer.ts';
import { signToken } from '../../../kernel/tokens/sign.ts';
import { notAMember, organizationNotFound, readHolder, sessionEnded, userNotFound } from '../holder.ts';
import { ClientSession, ClientToken, CreateClientToken } from './schema.ts';

const LIFETIME_SECONDS = 600;

export const createClientToken = operation({
  id: 'client.token',
  method: 'POST',
  path: '/client/token',
  summary: 'Create a token of the client API',
  description:
    'Creates a JWT that is valid for ten minutes, with which a page calls the service for an active member of an organization. Its type is ' +
    '`client+jwt`. It is not an access token of a session: the keys of `/sso/jwks/{clientId}` do not verify it.',
  auth: apiKey,
  body: CreateClientToken,
  responses: { 201: ClientToken },
  errors: [organizationNotFound, userNotFound, notAMember],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, fail }) {
    const { user_id: userId, organization_id: organizationId } = body;
    const [issued, holder] = await awaitAll([
      issuerClaims(environmentId),
      readHolder(environmentId, { userId, organizationId }),
    ]);
    if (!holder.hasOrganization) throw fail(organizationNotFound);
    if (!holder.hasUser) throw fail(userNotFound);
    if (!holder.isMember) throw fail(notAMember);
    const claims = { ...issued, sub: userId, org_id: organizationId };
    return { status: 201, body: { token: await signToken(environmentId, 'client', claims, LIFETIME_SECONDS) } };
  },
});

export const getClientSession = operation({
  id: 'client.session',
  method: 'GET',
  path: '/x/client/session',
  summary: "Get the session of a client API's token",
  description:
    'Returns the user and organization of the token in `Authorization`. With the token of a deleted user, organization or ' +
    'membership, or of a deactivated membership, the response is 404.',
  auth: bearerOfToken('client'),
  browser: true,
  responses: { 200: ClientSession },
  errors: [sessionEnded],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, caller, fail }) {
    const { sub: userId, org_id: organization, exp } = claimsOfCaller(caller);
    const organizationId = String(organization);
    const { isMember } = await readHolder(environmentId, { userId, organizationId });
    if (!isMember) throw fail(sessionEnded);
    const expiresAt = new Date(exp * 1_000).toISOString();
    return {
      status: 200,
      body: {
        object: 'client_session' as const,
        user_id: userId,
        organization_id: organizationId,
        expires_at: expiresAt,
      },
    };
  },
});

export const clientTokenOperations = [createClientToken, getClientSession] as const;
