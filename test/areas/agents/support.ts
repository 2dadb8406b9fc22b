import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { forgetEnvironments } from '../../../functions/kernel/authentication/environment.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { stageSession } from '../../../functions/tenancy/sessions/public.ts';
import { findUser, touchUserVersion } from '../../../functions/tenancy/modules/users/public.ts';
import { newOrganization } from '../../support/organizations.ts';
import { call, service } from '../../support/service.ts';
import { addMembership, addUser, environment } from '../../support/users.ts';
import { admit } from '../../support/admission.ts';

export interface Minted {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  agent_instance_id: string;
  new_instance: boolean;
  agent_instance_session_id: string;
  permissions: string[];
  code?: string;
  message?: string;
}

export interface Validation {
  valid?: boolean;
  permissions?: string[];
  acting_user_id?: string | null;
  intent?: string | null;
  code?: string;
}

export const PERMISSIONS = ['posts:read', 'posts:write', 'posts:delete'];

/** Creates {@link PERMISSIONS} and gives some of them to the role `member`. */
export async function givePermissions(...permissions: string[]): Promise<void> {
  for (const slug of PERMISSIONS) await call('POST', '/authorization/permissions', { slug, name: slug });
  await setMemberPermissions(...permissions);
}

export const setMemberPermissions = (...permissions: string[]) =>
  call('PUT', '/authorization/roles/member/permissions', { permissions });

let made = 0;

/** Creates a blueprint, by default with {@link PERMISSIONS}. @returns its id */
export async function newBlueprint(body: object = {}): Promise<string> {
  const create = () =>
    call<{ id: string; code?: string }>('POST', '/agents/blueprints', {
      name: `Agent ${(made += 1)}`,
      permissions: PERMISSIONS,
      ...body,
    });
  let { status, body: created } = await create();
  if (created.code === 'permission_not_found') {
    for (const slug of PERMISSIONS) await call('POST', '/authorization/permissions', { slug, name: slug });
    ({ status, body: created } = await create());
  }
  if (status !== 201) throw new Error(`No blueprint: ${JSON.stringify(created)}`);
  return created.id;
}

/** A member of an organization with a session and its tokens. */
export interface Member {
  userId: string;
  organizationId: string;
  membershipId: string;
  sessionId: string;
  token: string;
  refreshToken: string;
}

/** Adds an active member with a session in the organization. */
export async function newMember(organizationId?: string): Promise<Member> {
  const inside = organizationId ?? (await newOrganization());
  const userId = await addUser();
  const membershipId = await addMembership(userId, inside, 'active');
  return { userId, organizationId: inside, membershipId, ...(await signIn(userId, inside)) };
}

/** Creates a session of a user directly in the table, and refreshes it to get a token. */
export async function signIn(
  userId: string,
  organizationId?: string,
  impersonator?: { email: string; reason: null },
): Promise<{ sessionId: string; token: string; refreshToken: string }> {
  const environmentId = await environment();
  let opened = { sessionId: '', refreshToken: '' };
  forgetEnvironments();
  await applyWork(environmentId, systemActor, async (unit) => {
    const user = await findUser(environmentId, userId);
    if (user === undefined) throw new Error(`There is no user ${userId}`);
    touchUserVersion(unit, user);
    const operator = { method: 'impersonation', word: 'operator:user_0' } as const;
    const admitted = admit(organizationId, impersonator === undefined ? {} : operator);
    const { session, refreshToken } = await stageSession(unit, admitted, {
      environmentId,
      userId,
      authMethod: impersonator === undefined ? 'password' : 'impersonation',
      ipAddress: null,
      userAgent: null,
      client: 'confidential',
      impersonator,
    });
    opened = { sessionId: session.id, refreshToken };
  });
  return { sessionId: opened.sessionId, ...(await refreshUser(opened.refreshToken)) };
}

async function refreshUser(refreshToken: string, organizationId?: string) {
  const { clientId, apiKey } = await service();
  const path = '/user_management/authenticate';
  const { status, body } = await call<{ access_token: string; refresh_token: string }>('POST', path, {
    grant_type: 'refresh_token',
    client_id: clientId,
    client_secret: apiKey,
    refresh_token: refreshToken,
    organization_id: organizationId,
  });
  if (status !== 200) throw new Error(`No token: ${JSON.stringify(body)}`);
  return { token: body.access_token, refreshToken: body.refresh_token };
}

/** Moves a member's session to another organization, so that it does not end with the membership. */
export async function moveAway({ userId, refreshToken }: Member): Promise<void> {
  const elsewhere = await newOrganization('Elsewhere');
  await addMembership(userId, elsewhere, 'active');
  await refreshUser(refreshToken, elsewhere);
}

export const mint = (blueprintId: string, body: object) =>
  call<Minted>('POST', `/agents/blueprints/${blueprintId}/tokens`, body);

export const delegate = (blueprintId: string, { token }: Pick<Member, 'token'>, more: object = {}) =>
  mint(blueprintId, { type: 'user_delegated', user_access_token: token, ...more });

export const autonomous = (blueprintId: string, organizationId: string, more: object = {}) =>
  mint(blueprintId, { type: 'autonomous', organization_id: organizationId, ...more });

export const pass = (blueprintId: string, token: string, more: object = {}) =>
  mint(blueprintId, { type: 'agent_delegated', agent_access_token: token, ...more });

export const refresh = (blueprintId: string, token: string, more: object = {}) =>
  mint(blueprintId, { type: 'refresh', refresh_token: token, ...more });

export const validate = (blueprintId: string, token: string) =>
  call<Validation>('POST', `/agents/blueprints/${blueprintId}/tokens/validate`, { agent_access_token: token });

/** The state of a token by its validation: `valid`, or the code of the error. */
export async function readState(blueprintId: string, token: string): Promise<string> {
  const { status, body } = await validate(blueprintId, token);
  return status === 200 ? 'valid' : (body.code ?? String(status));
}

export const readClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

interface Event {
  event: string;
  data: Record<string, unknown>;
}

/** The names and data of the events of agents, the oldest first; after `idle()`. */
export async function agentEvents(...names: string[]): Promise<Event[]> {
  const all = names.map((name) => `agent.${name}`).join(',');
  return (await call<{ data: Event[] }>('GET', `/events?events=${all}&limit=100`)).body.data;
}
