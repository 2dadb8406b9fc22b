import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Connection } from '../../support/connection.ts';
import { writeUser } from '../../support/user-rows.ts';
import { type CaseFile, each, usingUp } from '../case.ts';
import { findEnvironment } from './environment.ts';

const SLUG = 'bench';

/** A token endpoint on loopback that grants every request; it ends with the process. */
async function tokenEndpoint(): Promise<string> {
  let granted = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      granted += 1;
      const body = {
        access_token: `a-${granted}`,
        refresh_token: `r-${granted}`,
        token_type: 'bearer',
        expires_in: 3_600,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
}

async function createIntegration(connection: Connection): Promise<void> {
  const token_url = await tokenEndpoint();
  await connection.demand({
    method: 'POST',
    path: '/data-integrations',
    body: {
      provider: SLUG,
      enabled: true,
      scopes: ['read'],
      credentials: { type: 'custom', client_id: 'bench', client_secret: 'a-secret-of-the-bench' },
      custom_provider: { name: 'Bench', authorization_url: token_url, token_url },
    },
  });
}

/** A user with an imported account. @returns the user's id */
async function connectUser(connection: Connection, tokens: object): Promise<string> {
  const userId = await writeUser(findEnvironment(connection));
  const path = `/user_management/users/${userId}/connected_accounts/${SLUG}`;
  await connection.demand({ method: 'POST', path, body: { refresh_token: 'r', access_token: 'a', ...tokens } });
  return userId;
}

const vend = (user_id: string) => ({
  method: 'POST',
  path: `/data-integrations/${SLUG}/credentials`,
  body: { user_id },
  status: 200,
});

export const pipesCases: CaseFile = {
  area: 'pipes',
  cases: [
    {
      name: 'data_integrations.get',
      kind: 'read',
      isSimple: true,
      prepare: async (connection) => {
        const body = { provider: 'openai', auth_methods: ['api_key'] };
        await connection.demand({ method: 'POST', path: '/data-integrations', body });
        return () => ({ method: 'GET', path: '/data-integrations/openai', status: 200 });
      },
    },
    {
      name: 'data_integrations.vend_credentials (fresh token)',
      kind: 'read',
      prepare: async (connection) => {
        await createIntegration(connection);
        const userId = await connectUser(connection, {});
        return () => vend(userId);
      },
    },
    {
      name: 'data_integrations.vend_credentials (refresh)',
      kind: 'mutation',
      // The round trips are: read, take the lease, read again, (the provider,) read and store the tokens, release the
      // lease.
      roundTrips: 6,
      usesUp: true,
      prepare: async (connection, size) => {
        await createIntegration(connection);
        const ended = { expires_at: '2020-01-01T00:00:00.000Z' };
        return usingUp(await each(size, () => connectUser(connection, ended)), vend);
      },
    },
    {
      name: 'data_integrations.upsert_api_key (rotation)',
      kind: 'mutation',
      prepare: async (connection) => {
        const body = { provider: 'openai', auth_methods: ['api_key'] };
        await connection.demand({ method: 'POST', path: '/data-integrations', body });
        const user_id = await writeUser(findEnvironment(connection));
        const put = {
          method: 'PUT',
          path: '/data-integrations/openai/api-key',
          body: { user_id, secret: 'sk-of-the-bench' },
        };
        await connection.demand(put);
        return () => ({ ...put, status: 200 });
      },
    },
  ],
};
