import { addTypes } from '../../support/resource-types.ts';
import { call, idle } from '../../support/service.ts';
import { assign, newOrganization, newPermission, newResource, newRole } from './world.ts';

export const BASE = '/access/v1';
export const ownResource = (organizationId: string): string => organizationId.replace('org_', 'authz_resource_');

export const evaluate = (subject: object, action: string, resource: object, more: object = {}) =>
  call<{ decision: boolean }>('POST', `${BASE}/evaluation`, { subject, action: { name: action }, resource, ...more });
export const evaluations = (body: object) =>
  call<{ decision?: boolean; evaluations?: { decision: boolean; context?: object }[] }>(
    'POST',
    `${BASE}/evaluations`,
    body,
  );

export interface Found {
  results: { type?: string; id?: string; name?: string }[];
  page: { next_token: string; count: number };
}
export const search = (kind: string, body: object) => call<Found>('POST', `${BASE}/search/${kind}`, body);

/** A user with an external id or only an address, and its membership. */
export async function newUser(
  organization_id: string,
  email: string,
  external_id?: string,
  role_slugs?: readonly string[],
) {
  const made = await call<{ id: string }>('POST', '/user_management/users', { email, external_id });
  const body = { user_id: made.body.id, organization_id, ...(role_slugs && { role_slugs }) };
  const member = await call<{ id: string }>('POST', '/user_management/organization_memberships', body);
  if (member.status !== 201) throw new Error(JSON.stringify(member.body));
  return { userId: made.body.id, membershipId: member.body.id };
}

/** The fixture of AuthZEN's certification, as far as it needs identifiers only. */
export async function fixture() {
  await addTypes({ record: ['organization'] });
  const organizationId = await newOrganization();
  for (const slug of ['read', 'write', 'delete']) await newPermission(slug, 'record');
  await newRole('writer', 'record', ['read', 'write']);
  await newRole('reader', 'record', ['read']);
  const records = [];
  for (const id of ['record-1', 'record-2']) records.push(await newResource(organizationId, 'record', undefined, id));
  const alice = await newUser(organizationId, 'alice@example.com', 'alice');
  const bob = await newUser(organizationId, 'bob@example.com', 'bob');
  for (const { id } of records) {
    await assign(alice.membershipId, 'writer', id);
    await assign(bob.membershipId, 'reader', id);
  }
  await idle();
  return { organizationId, alice, bob, records: records.map(({ id }) => id) };
}

export const alice = { type: 'user', id: 'alice' };
export const bob = { type: 'user', id: 'bob' };
export const record = { type: 'record', id: 'record-1' };
