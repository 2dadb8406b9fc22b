import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { type DeclaredError, type Failure, orFail } from '../../../kernel/errors.ts';
import { listOperation } from '../../../kernel/list-operation.ts';
import { operation } from '../../../kernel/operation.ts';
import { stageErasure } from '../../../kernel/storage/erasure.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { stageRevocationOfAll } from '../../../tenancy/sessions/public.ts';
import {
  passwordErrors,
  passwordFrom,
  rejectWeakPassword,
  stagePassword,
} from '../../../proofs/modules/credentials/public.ts';
import { assessCreation } from '../../../proofs/radar/public.ts';
import { emailAlreadyVerified, stageAddressChangedNotice } from '../../../proofs/modules/email-proofs/public.ts';
import {
  findUser,
  getUserByExternalId,
  presentUser,
  makeRemoval,
  invalidatePendingCredentials,
  stageUser,
  stageUserChange,
  User,
  userManagementSettings,
  userNotFound,
} from '../../../tenancy/modules/users/public.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import {
  emailChangeNotAllowed,
  emailNotAvailable,
  externalIdAlreadyUsed,
  invalidEmail,
  invalidLocale,
  invalidMetadata,
  signalsNotFound,
  userCreationError,
  userDeletionNotAllowed,
} from './errors.ts';
import { findUsers } from './find.ts';
import { CreatedUser, CreateUser, ListUsers, UpdateUser, UserList } from './schema.ts';
import { changesFrom } from './update.ts';

const listUsers = listOperation({
  id: 'users.list',
  path: '/user_management/users',
  summary: 'List users',
  description:
    'Lists users in pages, the newest first. To get the next page, send `after` with `list_metadata.after` of this page, which is the id of its last user. ' +
    'The last page has `list_metadata.after` null. `organization_id` selects users with a membership of the organization, in any status. ' +
    'The list may lag behind changes for a moment; with `email` it is strongly consistent.',
  query: ListUsers,
  response: UserList,
  fetch: (environmentId, { email, organization_id: organizationId, organization }, window) =>
    findUsers(environmentId, { email, organizationId: organizationId ?? organization }, window),
  present: presentUser,
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
    const record = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    return { status: 200, body: presentUser(record) };
  },
});

const getUserByOwnId = operation({
  id: 'users.get_by_external_id',
  method: 'GET',
  path: '/user_management/users/external_id/{external_id}',
  freeText: 'external_id',
  summary: 'Get a user by their external id',
  auth: apiKey,
  responses: { 200: User },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(getUserByExternalId(environmentId, params.external_id), () => fail(userNotFound));
    return { status: 200, body: presentUser(record) };
  },
});

const createUser = operation({
  id: 'users.create',
  method: 'POST',
  path: '/user_management/users',
  summary: 'Create a user',
  description:
    'The body may have a `password`, or a `password_hash` of another service, which is replaced at the next sign-in. ' +
    'No mail is sent. If the email address is already in use, the response is 400 `user_creation_error`. ' +
    'Radar, the protection against attacks, assesses the sign-up if `sign_in` in PUT /x/radar/settings is `all` and the body has `ip_address` or `user_agent`. The response then has ' +
    '`radar_auth_attempt_id`: send it with the sign-in that follows, so that both count as one attempt.',
  auth: apiKey,
  operator: 'people.change',
  body: CreateUser,
  responses: { 201: CreatedUser },
  errors: [userCreationError, invalidMetadata, signalsNotFound, ...passwordErrors],
  memberErrors: { metadata: invalidMetadata },
  emits: ['user.created'],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const email = normalizeEmail(body.email);
    if (email === undefined) {
      throw invalid([{ field: 'email', code: 'invalid_email', message: 'is no address that mail can be sent to' }]);
    }
    const password = passwordFrom(body);
    if (password !== undefined) await rejectWeakPassword(environmentId, password, { email });
    const taken = (field: 'email' | 'external_id', { code, message }: DeclaredError): Failure =>
      fail(userCreationError, { issues: [{ field, code, message }] });
    const record = stageUser(
      unit,
      {
        environmentId,
        email,
        emailVerified: body.email_verified ?? false,
        firstName: body.first_name ?? undefined,
        lastName: body.last_name ?? undefined,
        name: body.name ?? undefined,
        externalId: body.external_id ?? undefined,
        metadata: body.metadata ?? {},
      },
      {
        otherwise: taken('email', emailNotAvailable),
        externalIdTaken: taken('external_id', externalIdAlreadyUsed),
      },
    );
    const attempt = {
      ...({ environmentId, action: 'sign-up', method: 'Other', email } as const),
      ...{ ipAddress: body.ip_address || null, userAgent: body.user_agent || null, signalsId: body.signals_id },
    };
    const [radarId] = await awaitAll([
      assessCreation(unit, attempt, { userId: record.id }),
      password === undefined ? undefined : stagePassword(unit, record, password, { isNew: true }),
    ]);
    const attempted = radarId === undefined ? {} : { radar_auth_attempt_id: radarId };
    return { status: 201, body: { ...presentUser(record), ...attempted } };
  },
});

const updateUser = operation({
  id: 'users.update',
  method: 'PUT',
  path: '/user_management/users/{id}',
  summary: 'Update a user',
  description:
    'Absent fields are unchanged. Null clears `external_id`, `metadata` and `locale`; for other fields it has the same effect as absence. A changed `email` is unverified unless `email_verified` is true. If the email or the password changes, the user’s sessions are revoked, and reset links and unfinished sign-ins are invalidated. A verified former address is notified ' +
    'by mail. A second factor is kept, and a sign-in that verifies the new address requires it.',
  auth: apiKey,
  operator: 'people.change',
  // With another address an operator could sign in as the user, by a mailed code.
  notFromOperators: ['email', 'email_verified'],
  body: UpdateUser,
  responses: { 200: User },
  errors: [
    userNotFound,
    invalidEmail,
    invalidLocale,
    invalidMetadata,
    emailAlreadyVerified,
    emailChangeNotAllowed,
    emailNotAvailable,
    externalIdAlreadyUsed,
    ...passwordErrors,
  ],
  memberErrors: { email: invalidEmail, locale: invalidLocale, metadata: invalidMetadata },
  emits: ['user.updated', 'session.revoked'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, body, unit, fail }) {
    const former = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    const changes = changesFrom(body, former, fail);
    const isMoved = changes.email !== former.email;
    if (isMoved && !(await findSettings(environmentId, userManagementSettings)).email_change) {
      throw fail(emailChangeNotAllowed);
    }
    const password = passwordFrom(body);
    if (password !== undefined) await rejectWeakPassword(environmentId, password, changes);
    const changed = stageUserChange(unit, former, changes, {
      otherwise: fail(emailNotAvailable),
      externalIdTaken: fail(externalIdAlreadyUsed),
    });
    if (isMoved) await stageAddressChangedNotice(unit, former, changes.email);
    if (password !== undefined) await stagePassword(unit, changed, password);
    else if (isMoved) {
      invalidatePendingCredentials(unit, changed);
      await stageRevocationOfAll(unit, environmentId, former.id);
    }
    return { status: 200, body: presentUser(changed) };
  },
});

const deleteUser = operation({
  id: 'users.delete',
  method: 'DELETE',
  path: '/user_management/users/{id}',
  summary: 'Delete a user and their data',
  description:
    'The user and their sessions are removed at once, and their email address can be used again. Memberships and ' +
    'other data are removed in the background within moments. This is the call for a request for erasure (GDPR, the right to be ' +
    'forgotten). What remains: events about the user until their retention ends (90 days by default), claims of sign-ins through a connection ' +
    '(30 days), the record that mail to the address bounced, and the audit logs that you wrote.',
  auth: apiKey,
  operator: 'people.change',
  responses: { 200: null },
  errors: [userNotFound, userDeletionNotAllowed],
  emits: ['user.deleted', 'session.revoked'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const [record, { user_deletion: isAllowed }] = await awaitAll([
      findUser(environmentId, params.id),
      findSettings(environmentId, userManagementSettings),
    ]);
    if (record === undefined) throw fail(userNotFound);
    if (!isAllowed) throw fail(userDeletionNotAllowed);
    unit.stage(makeRemoval(record));
    stageErasure(unit, environmentId, ownerKey('user', record.id));
    await stageRevocationOfAll(unit, environmentId, record.id);
    unit.emit('user.deleted', presentUser(record));
    return { status: 200 };
  },
});

/** The operations on users. */
export const userOperations = [listUsers, createUser, getUser, getUserByOwnId, updateUser, deleteUser] as const;
