import * as z from 'zod';

import { oauthErrors } from '../../kernel/http/error-response.ts';
import { operation } from '../../kernel/operation.ts';
import { verifyToken } from '../../kernel/tokens/verify.ts';
import { findApplication } from '../application/entity.ts';
import { clientOfRequest, invalidClient } from '../client-secret/credentials.ts';
import { SERVER_PATH, serverInPath } from '../server.ts';

const text = z.string().max(4_096).optional();

const IntrospectionRequest = z
  .object({
    token: z.string().min(1).max(16_384).meta({ format: 'password' }),
    token_type_hint: text,
    client_id: text,
    client_secret: z.string().max(4_096).optional().meta({ format: 'password' }),
  })
  .meta({ id: 'OAuthIntrospectionRequest' });

/** The response of RFC 7662 section 2.2. */
const Introspection = z
  .object({
    active: z.boolean(),
    token_type: z.literal('Bearer').optional(),
    iss: z.string().optional(),
    sub: z.string().optional(),
    aud: z.string().optional(),
    client_id: z.string().optional(),
    org_id: z.string().optional(),
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
  summary: 'Check whether an access token of an application is valid now',
  description:
    'RFC 7662. The token of a deleted application is inactive at once, and scopes that the application has lost are left ' +
    'out. A token that is invalid for any reason gets `active: false`. The caller authenticates as an application of the same environment.',
  auth: serverInPath(invalidClient),
  body: IntrospectionRequest,
  form: true,
  responses: { 200: Introspection },
  errorForm: oauthErrors,
  errors: [invalidClient],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, request }) {
    const [, claims] = await Promise.all([
      clientOfRequest(environmentId, request, body),
      verifyToken(environmentId, 'machine', body.token, null),
    ]);
    const application = claims && (await findApplication(environmentId, claims.sub));
    const headers = { 'cache-control': 'no-store' };
    if (claims === undefined || application === undefined) return { status: 200, headers, body: { active: false } };
    const { iss, sub, aud, client_id, org_id, scope, jti, iat, exp } = claims as Record<string, string> & typeof claims;
    const granted = (scope ?? '').split(' ').filter((one) => application.scopes.includes(one));
    const members = { iss, sub, aud, client_id, org_id, jti, iat, exp, scope: granted.join(' ') };
    return { status: 200, headers, body: { active: true, token_type: 'Bearer' as const, ...members } };
  },
});
