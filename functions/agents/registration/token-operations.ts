import * as z from 'zod';

import { clock } from '../../kernel/clock.ts';
import { oauthErrors } from '../../kernel/http/error-response.ts';
import { newId } from '../../kernel/ids.ts';
import { operation } from '../../kernel/operation.ts';
import { readUnverifiedClaims } from '../../kernel/tokens/verify.ts';
import { secret } from '../../kernel/values.ts';
import { stageRegistrationKey, stageRevocationById } from '../../api-keys/public.ts';
import { ACCESS_SECONDS, findScopes, readAssertion, signAccess } from './assertion.ts';
import { registrations } from './entity.ts';
import { invalidGrant, unknownServer, unsupportedGrant } from './errors.ts';
import { AGENT_PATH, environmentInPath } from './server.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const ExchangeAssertion = z
  .object({
    grant_type: z.string().max(200).meta({ example: GRANT }),
    assertion: z.string().max(16_384).default('').meta({ format: 'password' }),
    credential_type: z
      .enum(['access_token', 'api_key'])
      .default('access_token')
      .describe('A token of five minutes, or an API key of the organization, which works until it is revoked.'),
  })
  .meta({ id: 'ExchangeAgentAssertionDto' });

const Credential = z
  .object({
    access_token: secret,
    token_type: z.literal('Bearer'),
    expires_in: z.int().optional().describe('Seconds; absent for an API key.'),
    scope: z.string(),
  })
  .meta({ id: 'AgentCredential' });

const exchangeAssertion = operation({
  id: 'agent_identity.token',
  method: 'POST',
  path: `${AGENT_PATH}/token`,
  summary: 'Exchange the assertion of an agent for a credential',
  description:
    'The grant `urn:ietf:params:oauth:grant-type:jwt-bearer` (RFC 7523 section 2.1) with the assertion of a registration. `scope` are the ' +
    'permissions of the settings for its state and, after a claim, of its user. There is no refresh token: exchange the assertion again.',
  auth: environmentInPath,
  body: ExchangeAssertion,
  form: true,
  errorForm: oauthErrors,
  responses: { 200: Credential },
  errors: [unknownServer, unsupportedGrant, invalidGrant],
  emits: ['agent.registration.credential.issued', 'api_key.created', 'api_key.revoked'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    if (body.grant_type !== GRANT) throw fail(unsupportedGrant);
    const registration = await readAssertion(environmentId, body.assertion);
    if (registration === undefined) throw fail(invalidGrant);
    const { id, organizationId } = registration;
    const scopes = await findScopes(registration);
    const at = clock.timestamp();
    const issued = {
      object: 'agent_registration_credential' as const,
      id: newId('agent_reg_credential'),
      agent_registration_id: id,
      created_at: at,
      updated_at: at,
    };
    const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
    const common = { token_type: 'Bearer' as const, scope: scopes.join(' ') };
    if (body.credential_type === 'api_key') {
      const wanted = { organizationId, agentRegistrationId: id, name: 'Agent', permissions: scopes };
      const { record, value } = await stageRegistrationKey(unit, environmentId, wanted);
      // A registration has at most one API key, so a new key replaces the former one.
      await stageRevocationById(unit, environmentId, registration.apiKeyId);
      unit.stage(registrations.revise(registration, { apiKeyId: record.id }).write);
      const detail = { kind: 'api_key' as const, api_key_id: record.id };
      unit.emit('agent.registration.credential.issued', { ...issued, detail }, { organizationId });
      return { status: 200, headers, body: { ...common, access_token: value } };
    }
    const token = await signAccess(registration, scopes);
    const { jti, exp } = readUnverifiedClaims(token) as { jti: string; exp: number };
    const detail = { kind: 'access_token' as const, jti, expires_at: new Date(exp * 1_000).toISOString() };
    unit.emit('agent.registration.credential.issued', { ...issued, detail }, { organizationId });
    return { status: 200, headers, body: { ...common, access_token: token, expires_in: ACCESS_SECONDS } };
  },
});

export const exchangeOperations = [exchangeAssertion] as const;
