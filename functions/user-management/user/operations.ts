import { apiKey } from '../../kernel/authentication/api-key.ts';
import { operation } from '../../kernel/operation.ts';
import { getUserByExternalId, users } from './entity.ts';
import { userNotFound } from './errors.ts';
import { presentUser, User } from './schema.ts';

export const getUser = operation({
  id: 'users.get',
  method: 'GET',
  path: '/user_management/users/{id}',
  summary: 'Get a user',
  auth: apiKey,
  responses: { 200: User },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await users.get(environmentId, params.id);
    if (record === undefined) throw fail(userNotFound);
    return { status: 200, body: presentUser(record) };
  },
});

export const getByExternalId = operation({
  id: 'users.get_by_external_id',
  method: 'GET',
  path: '/user_management/users/external_id/{external_id}',
  summary: 'Get a user by your own id of them',
  auth: apiKey,
  responses: { 200: User },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await getUserByExternalId(environmentId, params.external_id);
    if (record === undefined) throw fail(userNotFound);
    return { status: 200, body: presentUser(record) };
  },
});

/** Operations on users. */
export const userOperations = [getUser, getByExternalId] as const;
