import { expect } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import {
  ADA,
  begin,
  check,
  complete,
  exchange,
  keyless,
  link,
  readToken,
  register,
  type Registered,
} from './registering.ts';

/** A person with an agent of another party, who works for an organization. */
export interface Employee {
  userId: string;
  organizationId: string;
  membershipId: string;
}

/** Adds Ada, who is a member of a new organization. */
export async function employ(): Promise<Employee> {
  const organizationId = await newOrganization('Ada Inc');
  const user = { email: ADA, external_id: 'ada', email_verified: true };
  const { id: userId } = (await call<{ id: string }>('POST', '/user_management/users', user)).body;
  return { userId, organizationId, membershipId: await addMembership(userId, organizationId, 'active') };
}

/** Registers an agent that Ada claims for her organization. @returns its assertion */
export async function claimFor({ organizationId }: Employee): Promise<string> {
  const { claim } = (await register()).body;
  const { attempt } = (await begin(claim?.token)).body;
  const { user_code: code } = (await link(readToken(attempt), { organization_id: organizationId })).body;
  const { status, body } = await complete(claim?.token, code);
  expect(status).toBe(200);
  return body.identity.assertion;
}

interface Validated {
  api_key: { permissions: string[] } | null;
}

/** The permissions of an API key; undefined if it is invalid. */
export const readPermissions = async (value: string): Promise<string[] | undefined> =>
  (await call<Validated>('POST', '/api_keys/validations', { value })).body.api_key?.permissions;

/** Issues a token and a key to an agent. `read` returns what it can do with them and with its assertion. */
export async function issueTo(assertion: string) {
  const token = (await exchange(assertion)).body.access_token;
  const key = (await exchange(assertion, { credential_type: 'api_key' })).body.access_token;
  return {
    key,
    read: async () => ({
      permissions: await readPermissions(key),
      key: (await check('api_key', key)).valid,
      token: (await check('access_token', token)).valid,
      exchanged: (await exchange(assertion)).body.scope,
      refreshed: (await keyless<Registered>('identity', { type: 'refresh', assertion })).status,
    }),
  };
}

/** Uses a credential in every second, as a service that is called all the time does, for longer than it may be cached. */
export async function useFor<T>(seconds: number, read: () => Promise<T>): Promise<T> {
  for (let second = 0; second < seconds; second += 1) {
    await read();
    await advance(1);
  }
  return read();
}
