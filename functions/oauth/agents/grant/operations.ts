import * as z from 'zod';

import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import { readAssertion } from '../registration/assertion.ts';
import { credentialEvents, stageKeyCredential } from '../registration/credential.ts';
import { grantErrors, unknownServer, unsupportedGrant } from '../registration/errors.ts';
import { findAgentGrant, JWT_BEARER, REJECTIONS } from './grants.ts';
import { AGENT_PATH, environmentInPath } from '../registration/server.ts';

const ExchangeAssertion = z
  .object({
    grant_type: z.string().max(200).meta({ example: JWT_BEARER }),
    assertion: z.string().max(16_384).default('').meta({ format: 'password' }),
    claim_token: z.string().max(500).default('').meta({ format: 'password' }),
    credential_type: z
      .enum(['access_token', 'api_key'])
      .default('access_token')
      .describe(
        'A token that is valid for five minutes, or an API key of the organization, which is valid until it is revoked.',
      ),
  })
  .meta({ id: 'ExchangeAgentAssertionDto' });

const Credential = z
  .object({
    access_token: secret,
    token_type: z.literal('Bearer'),
    expires_in: z.int().optional().describe('The lifetime of the token in seconds; absent for an API key.'),
    scope: z.string(),
    identity_assertion: secret.optional().describe('The new assertion of the agent, which the claim grant returns.'),
    assertion_expires: timestamp.optional(),
  })
  .meta({ id: 'AgentCredential' });

const exchangeAssertion = operation({
  id: 'agent_identity.token',
  method: 'POST',
  path: `${AGENT_PATH}/token`,
  summary: 'Exchange the assertion of an agent for a credential',
  description:
    'Accepts the grant `urn:ietf:params:oauth:grant-type:jwt-bearer` (RFC 7523 section 2.1) with the assertion of a registration, or `urn:workos:agent-auth:grant-type:claim` with its claim token, for which the response is `authorization_pending` until the claim is completed. `scope` of the response has the permissions of the agent: `pre_claim_permissions` while it has no user, then those of `post_claim_permissions` that its user has. There is no refresh token: exchange the assertion again.',
  auth: environmentInPath,
  body: ExchangeAssertion,
  form: true,
  errorForm: oauthErrors,
  responses: { 200: Credential },
  errors: [unknownServer, unsupportedGrant, ...Object.values(grantErrors)],
  emits: credentialEvents,
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
    if (body.grant_type === JWT_BEARER && body.credential_type === 'api_key') {
      const found = await readAssertion(environmentId, body.assertion);
      if (found.state !== 'acting') throw fail(grantErrors[REJECTIONS[found.state]]);
      return { status: 200, headers, body: await stageKeyCredential(unit, found) };
    }
    const granted = await findAgentGrant(body.grant_type)?.({ environmentId, body, unit });
    if (granted === undefined) throw fail(unsupportedGrant);
    if ('error' in granted) throw fail(grantErrors[granted.error]);
    return { status: 200, headers, body: granted };
  },
});

export const exchangeOperations = [exchangeAssertion] as const;
