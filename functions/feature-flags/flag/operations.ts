import { apiKey } from '../../kernel/authentication/api-key.ts';
import { operation } from '../../kernel/operation.ts';
import { wholeList } from '../../kernel/pagination.ts';
import { findUser, userNotFound } from '../../users/public.ts';
import { FlagList, ListFlags } from './schema.ts';

export const listFlagsOfUser = operation({
  id: 'feature_flags.list_of_user',
  method: 'GET',
  path: '/user_management/users/{userId}/feature-flags',
  summary: 'List the feature flags that are enabled for a user',
  description: 'Empty: an environment has no feature flags yet.',
  auth: apiKey,
  query: ListFlags,
  responses: { 200: FlagList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    if ((await findUser(environmentId, params.userId)) === undefined) throw fail(userNotFound);
    return { status: 200, body: wholeList([]) };
  },
});
