import { apiKey } from '../../kernel/authentication/api-key.ts';
import { settingsOf } from '../../kernel/environment-settings.ts';
import { operation } from '../../kernel/operation.ts';
import { pageOf } from '../../kernel/pagination.ts';
import { stageRevocationOfAll } from '../../sessions/public.ts';
import { userManagementSettings } from '../settings.ts';
import { removalOf } from './change.ts';
import { getUserByExternalId, users } from './entity.ts';
import { userDeletionNotAllowed, userNotFound } from './errors.ts';
import { findUsers } from './find.ts';
import { ListUsers, presentUser, User, UserList } from './schema.ts';

const listUsers = operation({
  id: 'users.list',
  method: 'GET',
  path: '/user_management/users',
  summary: 'List users',
  description:
    'The list follows a change within moments; with `email` it is current. `organization_id` shows those who have a ' +
    'membership of the organization, whatever its status.',
  auth: apiKey,
  query: ListUsers,
  responses: { 200: UserList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const filter = { email: query.email, organizationId: query.organization_id ?? query.organization };
    const body = await pageOf(query, (window) => findUsers(environmentId, filter, window), presentUser);
    return { status: 200, body };
  },
});

const getUser = operation({
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

const getUserByOwnId = operation({
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

const deleteUser = operation({
  id: 'users.delete',
  method: 'DELETE',
  path: '/user_management/users/{id}',
  summary: 'Delete a user and everything that is theirs',
  description:
    'The user is gone at once, with their sessions, and their email address is free; memberships and whatever else is ' +
    'theirs are removed in the background within moments.',
  auth: apiKey,
  responses: { 200: null },
  errors: [userNotFound, userDeletionNotAllowed],
  emits: ['user.deleted', 'session.revoked'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const [record, { user_deletion: isAllowed }] = await Promise.all([
      users.get(environmentId, params.id),
      settingsOf(environmentId, userManagementSettings),
    ]);
    if (record === undefined) throw fail(userNotFound);
    if (!isAllowed) throw fail(userDeletionNotAllowed);
    unit.stage(removalOf(record));
    await stageRevocationOfAll(unit, environmentId, record.id);
    unit.emit('user.deleted', presentUser(record));
    return { status: 200 };
  },
});

/** Operations on users. */
export const userOperations = [listUsers, getUser, getUserByOwnId, deleteUser] as const;
