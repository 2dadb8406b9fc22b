import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { presentToken } from '../../../kernel/tokens/rotation.ts';
import { clientOfTokenRequest, invalidClient } from '../client-secret/credentials.ts';
import { clientMembers } from '../client-secret/schema.ts';
import { findGrantRows } from '../grant/find.ts';
import { readReference, REFRESH_PREFIX } from '../grant/reference.ts';
import { stageEndOfGrant } from '../grant/stage.ts';
import { findTokenState } from '../introspection/state.ts';
import { SERVER_PATH, serverOfClient } from '../../../sign-in/modules/authorization-server/public.ts';
import { rotatingRow, splitSecret } from '../token/refresh.ts';
import type { GrantRecord } from '../grant/entity.ts';

const text = z.string().max(4_096).optional();

const RevocationRequest = z
  .object({
    token: z.string().min(1).max(16_384).meta({ format: 'password' }),
    token_type_hint: text,
    ...clientMembers,
  })
  .meta({ id: 'OAuthRevocationRequest' });

/** Clients ignore the body (RFC 7009 section 2.2), but some, such as oidc-client-ts, reject a response that is not JSON. */
const RevocationResponse = z.object({}).meta({ id: 'OAuthRevocationResponse' });

/** The grant of a refresh token, current or replaced, or of an access token of a user. */
async function findGrant(environmentId: string, token: string): Promise<GrantRecord | undefined> {
  const reference = readReference(REFRESH_PREFIX, token);
  if (reference === undefined) {
    const state = await findTokenState(environmentId, token);
    return state?.kind === 'user' ? state.grant : undefined;
  }
  const row = (await findGrantRows(environmentId, reference))?.grant;
  const rotating = row && rotatingRow(row);
  if (rotating === undefined) return undefined;
  const presented = presentToken(rotating, splitSecret(reference.secret), { ipAddress: null, userAgent: null });
  return presented.kind === 'foreign' ? undefined : row;
}

/** The revocation endpoint (RFC 7009): the grant of the token ends, with its refresh token and access tokens (section 2.1). */
export const revokeToken = operation({
  id: 'oauth2.revocation',
  method: 'POST',
  path: `${SERVER_PATH}/revocation`,
  beyondContract: true,
  summary: 'Revoke a token of an application',
  description:
    'Revokes the refresh token and all access tokens of the same authorization (RFC 7009). This server rejects them at once; services that only verify signatures accept access tokens until they expire. The user’s consent stays. The response is the same for a token that is unknown, or of another application.',
  auth: serverOfClient(invalidClient),
  browser: 'any-origin',
  body: RevocationRequest,
  form: true,
  responses: { 200: RevocationResponse },
  errorForm: oauthErrors,
  errors: [invalidClient],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, request, unit }) {
    const [{ application }, grant] = await awaitAll([
      clientOfTokenRequest({ environmentId, request, body, unit }),
      findGrant(environmentId, body.token),
    ]);
    if (grant?.applicationId === application.id) stageEndOfGrant(unit, grant);
    return { status: 200, body: {} };
  },
});
