import { expect } from '@jest/globals';

import { call, idle } from '../../support/service.ts';

export const USERS = '/user_management/users';
export const MEMBERSHIPS = '/user_management/organization_memberships';

export interface User {
  id: string;
  email: string;
  email_verified: boolean;
  updated_at: string;
}

export interface Membership {
  id: string;
  user_id: string;
  organization_id: string;
  status: string;
  role: { slug: string };
  roles: { slug: string }[];
}

let count = 0;

/** Creates a user by the API, with a unique address by default. */
export async function newUser(members: object = {}): Promise<User> {
  const body = { email: `person-${(count += 1)}@example.com`, ...members };
  const { status, body: user } = await call<User>('POST', USERS, body);
  expect(status).toBe(201);
  return user;
}

/** Creates an organization. @returns its id */
export const newOrganization = async (name = 'Acme'): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;

/** Makes a user a member by the API. */
export async function newMembership(user_id: string, organization_id: string, roles: object = {}): Promise<Membership> {
  const { status, body } = await call<Membership>('POST', MEMBERSHIPS, { user_id, organization_id, ...roles });
  expect(status).toBe(201);
  return body;
}

/** Sets the environment's settings for users and memberships, effective at once in the test's service. */
export async function settings(values: object): Promise<void> {
  expect((await call('PUT', '/x/user-management/settings', values)).status).toBe(200);
}

/** The events with the given names, the oldest first. */
export async function readEvents(...names: string[]): Promise<{ event: string; data: Record<string, unknown> }[]> {
  await idle();
  const path = `/events?events=${names.join(',')}&order=asc&limit=100`;
  return (await call<{ data: { event: string; data: Record<string, unknown> }[] }>('GET', path)).body.data;
}

interface Page {
  data: { id: string }[];
  list_metadata: { after: string | null };
}

/** The ids of a list, page by page to its end. */
export async function allIds(path: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (;;) {
    const { body }: { body: Page } = await call<Page>('GET', `${path}${cursor}`);
    ids.push(...body.data.map(({ id }) => id));
    if (body.list_metadata.after === null) return ids;
    cursor = `&after=${body.list_metadata.after}`;
  }
}
