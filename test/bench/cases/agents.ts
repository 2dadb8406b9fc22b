import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { stageSession } from '../../../functions/tenancy/sessions/public.ts';
import type { Connection } from '../../support/connection.ts';
import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { type CaseFile, each, usingUp } from '../case.ts';
import { findEnvironment } from './environment.ts';
import { createOrganization } from './organizations.ts';
import { admit } from '../../support/admission.ts';

interface Minted {
  access_token: string;
  refresh_token: string;
  agent_instance_id: string;
  agent_instance_session_id: string;
}

let made = 0;

/** Creates a blueprint with 20 permissions. @returns its path */
async function createBlueprint(connection: Connection): Promise<string> {
  const permissions = Array.from({ length: 20 }, (_, at) => ({ slug: `documents-${at}:read`, name: 'Read' }));
  const slugs = permissions.map(({ slug }) => slug);
  const roles = [
    { slug: 'member', name: 'Member', permissions: slugs },
    { slug: 'admin', name: 'Admin' },
  ];
  await connection.demand({ method: 'PUT', path: '/x/authorization/model', body: { permissions, roles } });
  const body = { name: `Agent ${(made += 1)}`, permissions: slugs };
  const { id } = await connection.demand<{ id: string }>({ method: 'POST', path: '/agents/blueprints', body });
  return `/agents/blueprints/${id}`;
}

/** The access token of a new member's session. */
async function userToken(connection: Connection): Promise<string> {
  const { id: organizationId } = await createOrganization(connection);
  const environmentId = findEnvironment(connection);
  const userId = await writeUser(environmentId);
  await writeMembership(environmentId, { userId, organizationId });
  const client = { ipAddress: null, userAgent: null, client: 'confidential' } as const;
  let token = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    const opening = { environmentId, userId, authMethod: 'password', ...client } as const;
    token = (await stageSession(unit, admit(organizationId), opening)).refreshToken;
  });
  const body = {
    grant_type: 'refresh_token',
    client_id: makeClientId(environmentId),
    client_secret: connection.apiKey,
    refresh_token: token,
  };
  const path = '/user_management/authenticate';
  return (await connection.demand<{ access_token: string }>({ method: 'POST', path, body })).access_token;
}

async function mintForUser(connection: Connection) {
  const path = await createBlueprint(connection);
  const body = { type: 'user_delegated', user_access_token: await userToken(connection) };
  const minted = await connection.demand<Minted>({ method: 'POST', path: `${path}/tokens`, body });
  return { path, body, minted };
}

export const agentCases: CaseFile = {
  area: 'agents',
  cases: [
    {
      name: 'agent_blueprints.get',
      kind: 'read',
      isSimple: true,
      prepare: async (connection) => {
        const body = { name: 'Triage' };
        const { id } = await connection.demand<{ id: string }>({ method: 'POST', path: '/agents/blueprints', body });
        return () => ({ method: 'GET', path: `/agents/blueprints/${id}`, status: 200 });
      },
    },
    {
      name: 'agent_blueprints.mint_token (user_delegated)',
      kind: 'mutation',
      prepare: async (connection) => {
        const { path, body } = await mintForUser(connection);
        return () => ({ method: 'POST', path: `${path}/tokens`, body, status: 200 });
      },
    },
    {
      name: 'agent_blueprints.mint_token (autonomous)',
      kind: 'mutation',
      prepare: async (connection) => {
        const path = `${await createBlueprint(connection)}/tokens`;
        const body = { type: 'autonomous', organization_id: (await createOrganization(connection)).id };
        await connection.demand({ method: 'POST', path, body });
        return () => ({ method: 'POST', path, body, status: 200 });
      },
    },
    {
      name: 'agent_blueprints.mint_token (agent_delegated)',
      kind: 'mutation',
      prepare: async (connection) => {
        const { path, minted } = await mintForUser(connection);
        const body = { type: 'agent_delegated', agent_access_token: minted.access_token };
        return () => ({ method: 'POST', path: `${path}/tokens`, body, status: 200 });
      },
    },
    {
      name: 'agent_blueprints.mint_token (refresh)',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const { path, body } = await mintForUser(connection);
        const mint = () => connection.demand<Minted>({ method: 'POST', path: `${path}/tokens`, body });
        return usingUp(await each(size, mint), ({ refresh_token: token }) => ({
          method: 'POST',
          path: `${path}/tokens`,
          body: { type: 'refresh', refresh_token: token },
          status: 200,
        }));
      },
    },
    {
      name: 'agent_blueprints.validate_token',
      kind: 'read',
      prepare: async (connection) => {
        const { path, minted } = await mintForUser(connection);
        const body = { agent_access_token: minted.access_token };
        return () => ({ method: 'POST', path: `${path}/tokens/validate`, body, status: 200 });
      },
    },
    {
      name: 'agent_blueprints.validate_token (below another agent)',
      kind: 'read',
      prepare: async (connection) => {
        const { path, minted } = await mintForUser(connection);
        const delegation = { type: 'agent_delegated', agent_access_token: minted.access_token };
        const child = await connection.demand<Minted>({ method: 'POST', path: `${path}/tokens`, body: delegation });
        const body = { agent_access_token: child.access_token };
        return () => ({ method: 'POST', path: `${path}/tokens/validate`, body, status: 200 });
      },
    },
    {
      name: 'agent_sessions.get',
      kind: 'read',
      // The instance and the blueprint are read after the session, since the id of the session does not contain their ids.
      roundTrips: 2,
      prepare: async (connection) => {
        const { minted } = await mintForUser(connection);
        return () => ({ method: 'GET', path: `/agents/sessions/${minted.agent_instance_session_id}`, status: 200 });
      },
    },
    {
      name: 'agent_instances.get',
      kind: 'read',
      // The blueprint is read after the instance, since the id of the instance does not contain its id.
      roundTrips: 2,
      prepare: async (connection) => {
        const { minted } = await mintForUser(connection);
        return () => ({ method: 'GET', path: `/agents/instances/${minted.agent_instance_id}`, status: 200 });
      },
    },
    {
      name: 'agent_stops.create',
      kind: 'mutation',
      prepare: async () => () => ({
        method: 'POST',
        path: '/x/agents/stop',
        body: { target: 'environment', reason: 'Incident 42' },
        status: 200,
      }),
    },
  ],
};
