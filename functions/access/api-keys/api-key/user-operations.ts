import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { clock } from '../../../kernel/clock.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { findMembership, presenceOfMembership } from '../../../tenancy/modules/memberships/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { admitMinting, readCallerAuthority } from '../../../tenancy/modules/trust/public.ts';
import { newKey, requireFuture } from './stage.ts';
import { apiKeys, keysWithin } from './entity.ts';
import { readCurrentPermissions, readPermissions } from './permissions.ts';
import { notAMember, userNotFound } from './errors.ts';
import { CreateUserApiKey, ListUserApiKeys, presentUserKey, UserApiKeyList, UserApiKeyWithValue } from './schema.ts';

export const listUserApiKeys = operation({
  id: 'user_api_keys.list',
  method: 'GET',
  path: '/user_management/users/{userId}/api_keys',
  summary: "List a user's API keys",
  auth: apiKey,
  query: ListUserApiKeys,
  responses: { 200: UserApiKeyList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const holderId = params.userId;
    const { organization_id: organizationId } = query;
    const [user, page, current] = await awaitAll([
      findUser(environmentId, holderId),
      readPage(
        query,
        (window) =>
          organizationId === undefined
            ? apiKeys.list('byHolder', { environmentId, holderId }).toPage(window)
            : keysWithin(environmentId, holderId, organizationId, window),
        (key) => key,
      ),
      readCurrentPermissions(environmentId),
    ]);
    if (user === undefined) throw fail(userNotFound);
    return { status: 200, body: { ...page, data: page.data.map((key) => presentUserKey(current(key))) } };
  },
});

export const createUserApiKey = operation({
  id: 'user_api_keys.create',
  method: 'POST',
  path: '/user_management/users/{userId}/api_keys',
  summary: 'Create an API key of a user within an organization',
  description:
    'Only this response contains the value: the service stores its hash and its last four characters. A validation returns those of the ' +
    'permissions that the user has in the organization at that time.',
  auth: apiKey,
  // With the key of a person an operator would act as that person.
  operator: 'never',
  body: CreateUserApiKey,
  responses: { 201: UserApiKeyWithValue },
  errors: [userNotFound, notAMember],
  emits: ['api_key.created'],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, caller, params, body, unit, fail, invalid }) {
    const { userId } = params;
    const { organization_id: organizationId } = body;
    requireFuture(body.expires_at, invalid);
    const [user, membership, permissions] = await awaitAll([
      findUser(environmentId, userId),
      findMembership(environmentId, userId, organizationId),
      readPermissions(environmentId, body.permissions, invalid),
    ]);
    if (user === undefined) throw fail(userNotFound);
    if (membership?.status !== 'active') throw fail(notAMember);
    const verdict = admitMinting(readCallerAuthority(caller, clock.now()), organizationId);
    const { record, write, value } = newKey(
      verdict,
      environmentId,
      { organizationId, userId, ownershipEpoch: user.ownershipEpoch ?? 0, membershipId: membership.id },
      { ...body, ...permissions },
    );
    unit.announce({ record, write }, 'api_key.created', presentUserKey, { organizationId });
    unit.stage(presenceOfMembership(membership));
    return { status: 201, body: { ...presentUserKey(record), value } };
  },
});

export const apiKeyUserOperations = [listUserApiKeys, createUserApiKey] as const;
