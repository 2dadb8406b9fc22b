import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { operation } from '../../../../kernel/operation.ts';
import { notFound, orFail } from '../../../../kernel/errors.ts';
import { findUser, touchUserVersion, userNotFound } from '../../../../tenancy/modules/users/public.ts';
import { findIdentities } from './find.ts';
import { Identities, isOfContract, presentIdentity, presentSsoIdentity, SsoIdentities } from './schema.ts';
import { stageRemovalOfIdentities } from './stage.ts';

const identityNotFound = notFound('sso identity');

/** Reads the identities of a user; undefined if there is no such user. */
async function readIdentities(environmentId: string, userId: string) {
  const [user, identities] = await awaitAll([findUser(environmentId, userId), findIdentities(environmentId, userId)]);
  return user && identities;
}

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
    const identities = await orFail(readIdentities(environmentId, params.id), () => fail(userNotFound));
    return { status: 200, body: identities.filter(isOfContract).map(presentIdentity) };
  },
});

const listSsoIdentities = operation({
  id: 'users.list_sso_identities',
  method: 'GET',
  path: '/x/user-management/users/{id}/sso_identities',
  summary: 'List the accounts of a user at connections of organizations',
  description:
    'Lists all in the order in which they were linked; a user has at most ten. Such an account signs the user in to the organization of its connection.',
  auth: apiKey,
  responses: { 200: SsoIdentities },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const identities = await orFail(readIdentities(environmentId, params.id), () => fail(userNotFound));
    const data = identities.filter((identity) => !isOfContract(identity)).map(presentSsoIdentity);
    return { status: 200, body: { object: 'list' as const, data, list_metadata: { before: null, after: null } } };
  },
});

const deleteSsoIdentity = operation({
  id: 'users.delete_sso_identity',
  method: 'DELETE',
  path: '/x/user-management/users/{id}/sso_identities/{identity_id}',
  summary: 'Unlink an account at a connection from a user',
  description:
    'The account does not sign the user in any more. It is linked again by the organization’s connection if the organization has verified the domain of the user’s address, otherwise after a sign-in of the user.',
  auth: apiKey,
  responses: { 204: null },
  errors: [userNotFound, identityNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const user = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    const identities = await findIdentities(environmentId, user.id);
    const found = identities.find((identity) => identity.id === params.identity_id && !isOfContract(identity));
    if (found === undefined) throw fail(identityNotFound);
    // Concurrent links and removals conflict at the user's row.
    touchUserVersion(unit, user);
    await stageRemovalOfIdentities(unit, environmentId, user.id, { onlyId: found.id });
    return { status: 204 };
  },
});

export const identityOperations = [listIdentities, listSsoIdentities, deleteSsoIdentity] as const;
