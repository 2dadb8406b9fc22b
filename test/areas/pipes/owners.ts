import { expect } from '@jest/globals';

import { call, reset } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { SLUG } from './connection.ts';
import { CLIENT } from './third-party.ts';

/** Connections of both kinds of owner: a user, and an organization that they are an active member of. */
/** The third party as a custom provider. */
export const definition = {
  name: 'Third Party',
  authorization_url: 'https://third-party.example/authorize',
  token_url: 'https://third-party.example/token',
};
const CUSTOM = { type: 'custom', client_id: CLIENT.id, client_secret: CLIENT.secret };

/** The owner of the connection. */
export type Owner = 'user' | 'organization';
/** The two kinds of owners. */
export const owners: Owner[] = ['user', 'organization'];

/** An account in a response. */
export interface Account {
  id: string;
  state: string;
  code?: string;
  errors?: { field: string; code: string }[];
}

/** The user. */
export let userId: string;
/** Their organization. */
export let organizationId: string;

/** Creates the third party's integration of one ownership. */
export const integrate = async (ownership: Owner, body: object = {}): Promise<void> => {
  const { status } = await call('POST', '/data-integrations', {
    provider: SLUG,
    ownership,
    enabled: true,
    credentials: CUSTOM,
    custom_provider: definition,
    ...body,
  });
  expect(status).toBe(201);
};

/** The path of an owner's account. */
export const makePath = (owner: Owner): string =>
  owner === 'user'
    ? `/user_management/users/${userId}/connected_accounts/${SLUG}`
    : `/organizations/${organizationId}/connected_accounts/${SLUG}`;
const withUser = (owner: Owner, body: object) => (owner === 'organization' ? { user_id: userId, ...body } : body);
/** Imports an account. */
export const importAccount = (owner: Owner, body: object) =>
  call<Account>('POST', makePath(owner), withUser(owner, body));
/** Updates an account. */
export const updateAccount = (owner: Owner, body: object, query = '') =>
  call<Account>('PUT', `${makePath(owner)}${query}`, withUser(owner, body));
const ownerMembers = (owner: Owner) => ({
  user_id: userId,
  ...(owner === 'organization' ? { organization_id: organizationId, connection_owner: 'organization' } : {}),
});
/** Calls an operation of the integration for an owner. */
export const post = (owner: Owner, path: string, body: object = {}) =>
  call<Account>('POST', `/data-integrations/${SLUG}/${path}`, { ...ownerMembers(owner), ...body });

/** Empties the service and creates the owners again. */
export async function prepare(): Promise<void> {
  await reset();
  userId = await addUser();
  organizationId = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
  await addMembership(userId, organizationId);
}
