import { consents } from '../../../functions/oauth/connect/consent/entity.ts';
import { stageCode } from '../../../functions/oauth/connect/grant/stage.ts';
import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { computeChallenge } from '../../../functions/kernel/authentication/code-exchange.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { ownerKey } from '../../../functions/kernel/storage/record.ts';
import type { Connection } from '../../support/connection.ts';
import { admit } from '../../support/admission.ts';
import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { type CaseFile, each, usingUp } from '../case.ts';
import { findEnvironment } from './environment.ts';
import { createOrganization } from './organizations.ts';

interface Application {
  id: string;
  client_id: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const VERIFIER = 'v'.repeat(43);
const SCOPES = ['openid', 'email', 'offline_access'];

/** The path of an endpoint of the environment's authorization server. */
export const serverPath = (connection: Connection, name: string) =>
  `/oauth2/${makeClientId(findEnvironment(connection))}/${name}`;

/** The credentials of an m2m application. */
export async function createMachine(connection: Connection) {
  const { id: organizationId } = await createOrganization(connection);
  const body = { name: 'Sync', application_type: 'm2m', organization_id: organizationId };
  const made = await connection.demand<Application>({ method: 'POST', path: '/connect/applications', body });
  const path = `/connect/applications/${made.id}/client_secrets`;
  const { secret } = await connection.demand<{ secret: string }>({ method: 'POST', path, body: {} });
  return { client_id: made.client_id, client_secret: secret };
}

/** Prepares codes of a public application for one member of an organization. @returns what each exchange sends */
async function prepareCodes(connection: Connection, size: number) {
  const environmentId = findEnvironment(connection);
  const { id: organizationId } = await createOrganization(connection);
  const userId = await writeUser(environmentId);
  await writeMembership(environmentId, { userId, organizationId });
  const redirectUri = 'https://app.example.org/cb';
  const uris = [{ uri: redirectUri }];
  const body = { name: 'Web', application_type: 'oauth', is_first_party: true, redirect_uris: uris };
  const made = await connection.demand<Application>({ method: 'POST', path: '/connect/applications', body });
  const { record: consent, write } = consents.create({
    environmentId,
    id: newId('authorized_connect_app'),
    owner: ownerKey('user', userId),
    userId,
    applicationId: made.id,
    organizationId,
    scopes: SCOPES,
    ownershipEpoch: 0,
  });
  await applyWork(environmentId, systemActor, async (unit) => unit.stage(write));
  const authorized = () => ({ consent, scopes: SCOPES, authenticatedAt: clock.now() });
  const binding = { redirectUri, isUriNamed: false, codeChallenge: computeChallenge(VERIFIER) };
  const codes = await each(size, () =>
    applyWork(environmentId, systemActor, async (unit) =>
      stageCode(unit, admit(organizationId), authorized(), binding),
    ),
  );
  const common = { grant_type: 'authorization_code', client_id: made.client_id, code_verifier: VERIFIER };
  return codes.map((code) => ({ ...common, code }));
}

/** Exchanges prepared codes. */
async function prepareTokens(connection: Connection, size: number) {
  const bodies = await prepareCodes(connection, size);
  const path = serverPath(connection, 'token');
  return each(size, async (at) => ({
    clientId: bodies[at]?.client_id ?? '',
    ...(await connection.demand<Tokens>({ method: 'POST', path, body: bodies[at], key: null })),
  }));
}

export const connectCases: CaseFile = {
  area: 'connect',
  cases: [
    {
      // A well-known server publishes 120 grants a second for each vCPU, for comparison.
      name: 'oauth2.token (client_credentials)',
      kind: 'read',
      prepare: async (connection) => {
        const body = { grant_type: 'client_credentials', ...(await createMachine(connection)) };
        return () => ({ method: 'POST', path: serverPath(connection, 'token'), body, key: null, status: 200 });
      },
    },
    {
      name: 'oauth2.token (authorization_code)',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const path = serverPath(connection, 'token');
        const bodies = await prepareCodes(connection, size);
        return usingUp(bodies, (body) => ({ method: 'POST', path, body, key: null, status: 200 }));
      },
    },
    {
      name: 'oauth2.token (refresh_token)',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const path = serverPath(connection, 'token');
        return usingUp(await prepareTokens(connection, size), ({ clientId, refresh_token: token }) => ({
          method: 'POST',
          path,
          body: { grant_type: 'refresh_token', client_id: clientId, refresh_token: token },
          key: null,
          status: 200,
        }));
      },
    },
    {
      name: 'oauth2.introspection',
      kind: 'read',
      prepare: async (connection) => {
        const [held] = await prepareTokens(connection, 1);
        const body = { token: held?.access_token, ...(await createMachine(connection)) };
        return () => ({ method: 'POST', path: serverPath(connection, 'introspection'), body, key: null, status: 200 });
      },
    },
    {
      name: 'oauth2.userinfo',
      kind: 'read',
      prepare: async (connection) => {
        const [held] = await prepareTokens(connection, 1);
        const path = serverPath(connection, 'userinfo');
        return () => ({ method: 'GET', path, key: held?.access_token ?? null, status: 200 });
      },
    },
  ],
};
