import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { clientOfRequest, invalidClient } from '../client-secret/credentials.ts';
import { clientMembers } from '../client-secret/schema.ts';
import { SERVER_PATH, serverOfClient } from '../../../sign-in/modules/authorization-server/public.ts';
import { findTokenState, mayIntrospect } from './state.ts';

const text = z.string().max(4_096).optional();

const IntrospectionRequest = z
  .object({
    token: z
      .string()
      .min(1)
      .max(16_384)
      .meta({ format: 'password' })
      .describe('The access token. A refresh token is reported as not active.'),
    token_type_hint: text,
    ...clientMembers,
  })
  .meta({ id: 'OAuthIntrospectionRequest' });

/** The response of RFC 7662 section 2.2. */
const Introspection = z
  .looseObject({
    active: z.boolean(),
    token_type: z.literal('Bearer').optional(),
    iss: z.string().optional().describe('The issuer of the token.'),
    sub: z.string().optional(),
    aud: z.string().optional(),
    client_id: z.string().optional(),
    org_id: z.string().optional(),
    sid: z.string().optional(),
    scope: z.string().optional(),
    jti: z.string().optional(),
    iat: z.number().int().optional(),
    exp: z.number().int().optional(),
  })
  .meta({ id: 'OAuthIntrospection' });

/**
 * The introspection endpoint (RFC 7662), which returns the current state of a token. A signature only proves the state when
 * the token was issued.
 */
export const introspectToken = operation({
  id: 'oauth2.introspection',
  method: 'POST',
  path: `${SERVER_PATH}/introspection`,
  beyondContract: true,
  summary: 'Introspect an access token: whether it is valid now',
  description:
    'Returns the current state of a token: `active` is false as soon as its application, consent, user, membership or resource is deleted, and for a text that is not a token. Scopes that the application or the consent has lost are left out. The caller authenticates as an application of the same environment; for one that registered itself, `active` is false for the tokens of others.',
  auth: serverOfClient(invalidClient),
  body: IntrospectionRequest,
  form: true,
  responses: { 200: Introspection },
  errorForm: oauthErrors,
  errors: [invalidClient],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, request, unit }) {
    const [caller, state] = await awaitAll([
      clientOfRequest({ environmentId, request, body, unit }),
      findTokenState(environmentId, body.token),
    ]);
    const headers = { 'cache-control': 'no-store' };
    if (state === undefined || !mayIntrospect(caller, state)) return { status: 200, headers, body: { active: false } };
    const { claims, scopes } = state;
    const { iss, sub, aud, client_id, org_id, sid, jti, iat, exp } = claims as Record<string, string> & typeof claims;
    const members = { iss, sub, aud, client_id, org_id, sid, jti, iat, exp, scope: scopes.join(' ') };
    const chosen = state.kind === 'user' ? ((state.grant.chosenClaims ?? {}) as Record<string, string>) : {};
    return { status: 200, headers, body: { ...chosen, active: true, token_type: 'Bearer' as const, ...members } };
  },
});
