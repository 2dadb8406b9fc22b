import { call, idle } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';

/** A group as callers see it. */
export interface Group {
  id: string;
  organization_id: string;
  name: string;
  description: string | null;
  created_at: string;
  updated_at: string;
}

/** A page of a list. */
export interface List<T> {
  data: T[];
  list_metadata: { before: string | null; after: string | null };
}

/** An event of GET /events. */
export interface SentEvent {
  event: string;
  data: Record<string, unknown>;
  context?: { previous_attributes?: Record<string, unknown> };
}

/** Creates an organization. @returns its id */
export const newOrganization = async (name = 'Acme'): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;

/** Creates a group. */
export async function newGroup(organizationId: string, name = 'Support', more: object = {}): Promise<Group> {
  const { status, body } = await call<Group>('POST', `/organizations/${organizationId}/groups`, { name, ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

/** Creates a user with a membership, by the service, which knows the ids of its roles. @returns the membership's id */
export async function newMember(organization_id: string, status?: 'active' | 'inactive' | 'pending'): Promise<string> {
  const user_id = await addUser();
  if (status === 'pending') return addMembership(user_id, organization_id, status);
  const path = '/user_management/organization_memberships';
  const { id } = (await call<{ id: string }>('POST', path, { user_id, organization_id })).body;
  if (status === 'inactive') await call('PUT', `${path}/${id}/deactivate`);
  return id;
}

/** The path of a group's members. */
export const membersPath = ({ organization_id, id }: Group): string =>
  `/organizations/${organization_id}/groups/${id}/organization-memberships`;

export const addMember = (group: Group, organization_membership_id: string) =>
  call<Record<string, unknown>>('POST', membersPath(group), { organization_membership_id });

export const removeMember = (group: Group, membership: string) => call('DELETE', `${membersPath(group)}/${membership}`);

/** All records of a list, page by page. */
export async function all<T extends { id: string }>(path: string, limit = 100): Promise<T[]> {
  const found: T[] = [];
  const first = `${path}${path.includes('?') ? '&' : '?'}order=asc&limit=${limit}`;
  let next: string | undefined = first;
  while (next !== undefined) {
    const page: List<T> = await read(next);
    found.push(...page.data);
    next = page.list_metadata.after === null ? undefined : `${first}&after=${page.list_metadata.after}`;
  }
  return found;
}

async function read<T>(path: string): Promise<T> {
  const { status, body } = await call<T>('GET', path);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** The ids of a group's members. */
export const memberIds = async (group: Group): Promise<string[]> =>
  (await all<{ id: string }>(membersPath(group))).map(({ id }) => id);

/** The ids of a membership's groups. */
export const readGroupIds = async (membership: string): Promise<string[]> =>
  (await all<{ id: string }>(`/user_management/organization_memberships/${membership}/groups`)).map(({ id }) => id);

/** The events with the given names, after all work is done. */
export async function eventsNamed(...names: string[]): Promise<SentEvent[]> {
  await idle();
  return (await call<{ data: SentEvent[] }>('GET', `/events?events=${names.join('&events=')}&limit=100`)).body.data;
}
