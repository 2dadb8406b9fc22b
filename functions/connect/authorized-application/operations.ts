import { apiKey } from '../../kernel/authentication/api-key.ts';
import { operation } from '../../kernel/operation.ts';
import { wholeList } from '../../kernel/pagination.ts';
import { findUser, userNotFound } from '../../users/public.ts';
import { AuthorizedApplicationList, ListAuthorizedApplications } from './schema.ts';

export const listAuthorizedApplications = operation({
  id: 'authorized_applications.list_of_user',
  method: 'GET',
  path: '/user_management/users/{user_id}/authorized_applications',
  summary: 'List the applications that a user has authorized',
  description:
    'Always empty: this version has no authorization code grant, so no user can authorize an application yet.',
  auth: apiKey,
  query: ListAuthorizedApplications,
  responses: { 200: AuthorizedApplicationList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    if ((await findUser(environmentId, params.user_id)) === undefined) throw fail(userNotFound);
    return { status: 200, body: wholeList([]) };
  },
});

export const authorizedApplicationOperations = [listAuthorizedApplications] as const;
