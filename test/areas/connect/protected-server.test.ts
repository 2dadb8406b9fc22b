import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { call, reset, service } from '../../support/service.ts';
import { application, make, tokens, user } from './person.ts';

const EMAIL = 'ada@example.com';
const README = new URL('../../../functions/oauth/connect/README.md', import.meta.url);

interface Protected {
  resource: string;
  issuer: string;
  introspection: string;
  client: { client_id: string; client_secret: string };
}
type Serve = (request: IncomingMessage, response: ServerResponse, state: Record<string, unknown>) => unknown;
interface Example {
  protect: (own: Protected, request: IncomingMessage, response: ServerResponse, serve: Serve) => Promise<void>;
}

/** The code of the README that protects a server. */
function readExample(): string {
  const [, section = ''] = readFileSync(README, 'utf8').split('## In front of an MCP server\n');
  return /```js\n([\s\S]+?)```/.exec(section)?.[1] ?? '';
}

let server: Server;
let handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
beforeAll(async () => {
  server = createServer((request, response) => void handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

beforeEach(() => reset({ calm: true }));

test('the example of the README has at most ten lines', () => {
  expect(readExample().trim().split('\n').length).toBeLessThanOrEqual(10);
});

test('the example of the README protects a server: it names the issuer to clients without a token, and accepts only valid tokens for its own resource', async () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resource = `${origin}/mcp`;
  const { url, clientId } = await service();
  const organizationId = (await make('/organizations', { name: 'Acme' })).id;
  const machine = await make<{ id: string; client_id: string }>('/connect/applications', {
    name: 'MCP server',
    application_type: 'm2m',
    organization_id: organizationId,
  });
  const { secret } = await make<{ secret: string }>(`/connect/applications/${machine.id}/client_secrets`, {});
  for (const uri of [resource, 'https://other.example.com/mcp'])
    await make('/user_management/hosted_oauth_resources', { uri });
  const issuer = `${url}/user_management/${clientId}`;
  const example = `data:text/javascript,${encodeURIComponent(readExample())}`;
  const { protect } = (await import(example)) as Example;
  const own = {
    resource,
    issuer,
    introspection: `${url}/oauth2/${clientId}/introspection`,
    client: { client_id: machine.client_id, client_secret: secret },
  };
  const greet: Serve = (_request, response, state) => response.end(`Hello ${String(state.sub)}`);
  handle = (request, response) => protect(own, request, response, greet);

  const ask = async (token?: string) => {
    const response = await fetch(
      resource,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
    return {
      status: response.status,
      text: await response.text(),
      challenge: response.headers.get('www-authenticate'),
    };
  };
  const rejected = {
    status: 401,
    text: '',
    challenge: `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
  };
  expect(await ask()).toEqual(rejected);
  const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`);
  expect(await metadata.json()).toEqual({ resource, authorization_servers: [issuer] });

  const userId = await user(EMAIL, organizationId);
  const app = await application();
  const held = await tokens(app, EMAIL, { query: { resource } });
  expect(await ask(held.access_token)).toEqual({ status: 200, text: `Hello ${userId}`, challenge: null });
  const other = await tokens(app, EMAIL, { query: { resource: 'https://other.example.com/mcp' } });
  const plain = await tokens(app, EMAIL);
  for (const token of ['', 'x', other.access_token, plain.access_token, held.id_token, held.refresh_token, secret])
    expect(await ask(token)).toEqual(rejected);
  const path = `/user_management/users/${userId}/authorized_applications`;
  const { data } = (await call<{ data: { application: { id: string } }[] }>('GET', path)).body;
  for (const one of data) await call('DELETE', `${path}/${one.application.id}`);
  expect(await ask(held.access_token)).toEqual(rejected);
});
