import { newEnvironmentKey } from '../../../../kernel/authentication/api-key.ts';
import { operatorOnly, operatorRequired } from '../../../../kernel/authentication/operator-only.ts';
import { clock, isoAfter } from '../../../../kernel/clock.ts';
import { HOUR_SECONDS } from '../../../../kernel/durations.ts';
import { declareError, notFound, orFail } from '../../../../kernel/errors.ts';
import { RotateSecret } from '../../../../kernel/http/secret-rotation.ts';
import { operation } from '../../../../kernel/operation.ts';
import { readPage } from '../../../../kernel/pagination.ts';
import {
  credentials,
  findCredential,
  listCredentials,
  readCredentials,
} from '../../../../kernel/storage/environment.ts';
import { CreateKey, EnvironmentKey, KeyList, KeyWithValue, ListKeys, presentKey } from './schema.ts';
import { isLive, stageRevocation } from './stage.ts';

/** The maximum number of valid keys of an environment. */
const MAX_KEYS = 100;

const PATH = '/x/environment/api_keys';
const keyNotFound = notFound('API key');

const tooManyKeys = declareError({
  status: 409,
  code: 'too_many_keys',
  message: `The environment has ${MAX_KEYS} valid API keys, which is the limit. Revoke one first.`,
});

const keyEnded = declareError({
  status: 409,
  code: 'api_key_ended',
  message:
    'The API key is revoked, has expired, or was rotated before. Create a new one, or rotate the one in its place.',
});

/** The response that shows the value of a key is not stored by any cache. */
const headers = { 'cache-control': 'no-store' };

const listKeys = operation({
  id: 'environment_api_keys.list',
  method: 'GET',
  path: PATH,
  summary: 'List the API keys of the environment, without their values',
  description: 'Only for operators. `last_used_on` is updated by the first call with the key on each day.',
  auth: operatorOnly,
  operator: 'config.read',
  query: ListKeys,
  responses: { 200: KeyList },
  errors: [operatorRequired],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const page = await readPage(
      query,
      async (window) => {
        const { records, ...rest } = await readCredentials(environmentId, window);
        return { records: records.map((key) => ({ id: key.keyId, key })), ...rest };
      },
      ({ key }) => presentKey(key),
    );
    return { status: 200, body: page };
  },
});

const createKey = operation({
  id: 'environment_api_keys.create',
  method: 'POST',
  path: PATH,
  summary: 'Create an API key of the environment',
  description:
    'Only for operators: a call with an API key, whatever its limits, gets 403. Only this response contains the value, since the service stores its hash.',
  auth: operatorOnly,
  operator: 'secrets.write',
  body: CreateKey,
  responses: { 201: KeyWithValue },
  errors: [operatorRequired, tooManyKeys],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const now = clock.timestamp();
    const { name, read_only: readOnly, areas, expires_at: endsAt } = body;
    if (endsAt !== undefined && endsAt <= now)
      throw invalid([{ field: 'expires_at', code: 'invalid', message: 'is in the past' }]);
    const live = (await listCredentials(environmentId)).filter((key) => isLive(key, now));
    if (live.length >= MAX_KEYS) throw fail(tooManyKeys);
    const { record, writes, value } = newEnvironmentKey(environmentId, name, { readOnly, areas, endsAt });
    unit.stage(writes);
    return { status: 201, headers, body: { ...presentKey(record), value } };
  },
});

const rotateKey = operation({
  id: 'environment_api_keys.rotate',
  method: 'POST',
  path: `${PATH}/{id}/rotate`,
  summary: 'Rotate an API key of the environment',
  description:
    'Only for operators. Creates a key with the same name and limits; the former key expires at the end of the overlap. Only this ' +
    'response contains the new value. See the guide [Rotate a key without downtime](/docs/guides/api-authentication#rotate-a-key-without-downtime).',
  auth: operatorOnly,
  operator: 'secrets.write',
  body: RotateSecret,
  bodyOptional: true,
  responses: { 201: KeyWithValue },
  errors: [operatorRequired, keyNotFound, keyEnded],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const former = await orFail(findCredential(environmentId, params.id), () => fail(keyNotFound));
    const now = clock.timestamp();
    if (!isLive(former, now) || former.replacedBy !== undefined) throw fail(keyEnded);
    const { name, readOnly, areas, endsAt } = former;
    const { record, writes, value } = newEnvironmentKey(environmentId, name, { readOnly, areas, endsAt });
    const overlapEnd = isoAfter(now, body.overlap_hours * HOUR_SECONDS);
    const change = {
      replacedBy: record.keyId,
      endsAt: endsAt !== undefined && endsAt < overlapEnd ? endsAt : overlapEnd,
    };
    unit.stage([credentials.revise(former, change).write, ...writes]);
    return { status: 201, headers, body: { ...presentKey(record), value } };
  },
});

const revokeKey = operation({
  id: 'environment_api_keys.revoke',
  method: 'POST',
  path: `${PATH}/{id}/revoke`,
  summary: 'Revoke an API key of the environment',
  description: 'Only for operators. Calls with the key may be accepted for five more seconds, while it is cached.',
  auth: operatorOnly,
  operator: 'secrets.write',
  responses: { 200: EnvironmentKey },
  errors: [operatorRequired, keyNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const key = await orFail(stageRevocation(unit, environmentId, params.id), () => fail(keyNotFound));
    return { status: 200, body: presentKey(key) };
  },
});

export const keyOperations = [listKeys, createKey, rotateKey, revokeKey] as const;
