import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { apiKeyNotFound, alreadyExpired } from './errors.ts';
import { apiKeys } from './entity.ts';
import { stageKeyRevocation } from './erasure.ts';
import { computeExpiry } from './rules.ts';
import { ApiKey, ApiKeyValidation, ExpireApiKey, presentKey, ValidateApiKey } from './schema.ts';
import { readCurrentPermissions } from './permissions.ts';
import { validate } from './validate.ts';

export const validateApiKey = operation({
  id: 'api_keys.validate',
  method: 'POST',
  path: '/api_keys/validations',
  summary: 'Validate the value of an API key',
  description:
    'Returns the API key that has this value, or null if the value is malformed, unknown, expired or revoked. ' +
    'Expiration and revocation take effect with their response; the keys of a deleted organization, of a user who is no longer an active member, ' +
    'and of stopped agents stop working within five seconds. A key of a user or of an agent has only those of its permissions that the user has now. `last_used_at` is accurate to the minute.',
  auth: apiKey,
  body: ValidateApiKey,
  responses: { 200: ApiKeyValidation },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body }) {
    const [record, current] = await awaitAll([
      validate(environmentId, body.value),
      readCurrentPermissions(environmentId),
    ]);
    if (record === undefined) return { status: 200, body: { api_key: null } };
    const { agentRegistrationId: id } = record;
    const issuedTo = id === undefined ? {} : { agent_registration_id: id };
    return { status: 200, body: { api_key: presentKey(current(record)), ...issuedTo } };
  },
});

export const deleteApiKey = operation({
  id: 'api_keys.delete',
  method: 'DELETE',
  path: '/api_keys/{id}',
  summary: 'Revoke an API key',
  auth: apiKey,
  operator: 'secrets.write',
  responses: { 204: null },
  errors: [apiKeyNotFound],
  emits: ['api_key.revoked'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(apiKeys.get(environmentId, params.id), () => fail(apiKeyNotFound));
    stageKeyRevocation(unit, record);
    return { status: 204 };
  },
});

export const expireApiKey = operation({
  id: 'api_keys.expire',
  method: 'POST',
  path: '/api_keys/{id}/expire',
  summary: 'Expire an API key, now or at a given time',
  description:
    'Without `expires_at` the key expires now, else at that time; null removes the expiration. An expired key ' +
    'cannot be made valid again.',
  auth: apiKey,
  operator: 'people.support',
  body: ExpireApiKey,
  bodyOptional: true,
  responses: { 200: ApiKey },
  errors: [apiKeyNotFound, alreadyExpired],
  emits: ['api_key.updated'],
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const [former, current] = await awaitAll([
      apiKeys.get(environmentId, params.id),
      readCurrentPermissions(environmentId),
    ]);
    if (former === undefined) throw fail(apiKeyNotFound);
    const expiry = computeExpiry(former.endsAt, body.expires_at, clock.now());
    if (expiry.kind === 'already-expired') throw fail(alreadyExpired);
    if (expiry.kind === 'not-in-the-future') {
      throw invalid([{ field: 'expires_at', code: 'too_small', message: 'must be in the future' }]);
    }
    if (expiry.endsAt === former.endsAt) return { status: 200, body: presentKey(current(former)) };
    const previous = { expires_at: former.endsAt ?? null };
    const record = unit.announce(
      apiKeys.revise(former, { endsAt: expiry.endsAt }),
      'api_key.updated',
      (changed) => ({ ...presentKey(current(changed)), previous_attributes: previous }),
      { organizationId: former.organizationId, previousAttributes: previous },
    );
    return { status: 200, body: presentKey(current(record)) };
  },
});

export const apiKeyOperations = [validateApiKey, deleteApiKey, expireApiKey] as const;
