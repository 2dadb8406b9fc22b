import { apiKey } from '../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import { operation } from '../../kernel/operation.ts';
import { findUser, userNotFound } from '../../users/public.ts';
import { findIdentities } from './find.ts';
import { Identities, isOfContract, presentIdentity } from './schema.ts';

const listIdentities = operation({
  id: 'users.list_identities',
  method: 'GET',
  path: '/user_management/users/{id}/identities',
  summary: 'List the identities of a user at sign-in providers',
  description: 'Lists all identities in the order in which they were linked; a user has at most ten.',
  auth: apiKey,
  responses: { 200: Identities },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const [user, identities] = await awaitAll([
      findUser(environmentId, params.id),
      findIdentities(environmentId, params.id),
    ]);
    if (user === undefined) throw fail(userNotFound);
    return { status: 200, body: identities.filter(isOfContract).map(presentIdentity) };
  },
});

export const identityOperations = [listIdentities] as const;
