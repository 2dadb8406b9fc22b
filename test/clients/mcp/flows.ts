/**
 * A client of the Model Context Protocol that discovers the authorization server, registers, signs in, calls a tool, and is
 * rejected after a revocation.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { browser } from '../../support/browser.ts';
import type { Step } from '../client.ts';
import { loadMcp } from './modules.ts';
import { startMcpServer } from './server.ts';

const {
  GATEHOUSE_MCP_SDK = '',
  GATEHOUSE_BASE_URL = '',
  GATEHOUSE_API_KEY = '',
  GATEHOUSE_CLIENT_ID = '',
} = process.env;
const PASSWORD = 'plain tulips over kelp';
const CALLBACK = 'https://notes.example.org/callback';

let failed = false;

/** Runs one step and prints its result, unless an earlier step that it may depend on has failed. */
async function step<T>(
  name: string,
  work: () => Promise<T>,
  isExpected: (result: T) => boolean,
): Promise<T | undefined> {
  if (failed) return undefined;
  const line: Step = { step: name, ok: false };
  try {
    const result = await work();
    line.ok = isExpected(result);
    if (!line.ok) line.why = JSON.stringify(result);
    return result;
  } catch (error) {
    line.why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return undefined;
  } finally {
    failed = !line.ok;
    console.log(JSON.stringify(line));
  }
}

/** Calls the API with the environment's key. */
async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${GATEHOUSE_BASE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${GATEHOUSE_API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status >= 300) throw new Error(`${path} got ${response.status}: ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

interface Tokens {
  access_token: string;
  refresh_token?: string;
}

/** The storage of a client between its steps, in the form that the SDK requires. */
function newProvider(known?: { client_id: string }) {
  const kept = { client: known, tokens: undefined as Tokens | undefined, verifier: '', sentTo: '' };
  return {
    kept,
    redirectUrl: CALLBACK,
    clientMetadata: { redirect_uris: [CALLBACK], client_name: 'Notes', token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (information: { client_id: string }) => void (kept.client = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens: Tokens) => void (kept.tokens = tokens),
    invalidateCredentials: () => void (kept.tokens = undefined),
    redirectToAuthorization: (url: URL) => void (kept.sentTo = url.href),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  };
}

/** Signs a user in and gives consent. @returns the code from the client's redirect URI */
async function walk(address: string, email: string): Promise<string> {
  const person = browser();
  let page = await person.open(address);
  page = await person.submit(page, { email });
  page = await person.submit(page, { password: PASSWORD });
  if (!page.text.includes('value="approve"')) throw new Error(`There is no consent page at ${page.url}`);
  page = await person.submit(page, { do: 'approve' });
  return new URL(page.url).searchParams.get('code') ?? '';
}

const modules = await loadMcp(GATEHOUSE_MCP_SDK);
const { id: organizationId } = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
const machine = await call<{ id: string; client_id: string }>('POST', '/connect/applications', {
  name: 'MCP server',
  application_type: 'm2m',
  organization_id: organizationId,
});
const { secret } = await call<{ secret: string }>('POST', `/connect/applications/${machine.id}/client_secrets`, {});
const server = await startMcpServer(modules, {
  issuer: `${GATEHOUSE_BASE_URL}/user_management/${GATEHOUSE_CLIENT_ID}`,
  endpoint: `${GATEHOUSE_BASE_URL}/oauth2/${GATEHOUSE_CLIENT_ID}/introspection`,
  clientId: machine.client_id,
  secret,
});
await call('POST', '/user_management/hosted_oauth_resources', { uri: server.resource });
await call('PUT', '/x/connect/settings', { registration: 'any' });

/** Runs one client from its first request to its rejection after the revocation. */
async function play(kind: string, email: string, known?: { client_id: string }): Promise<void> {
  const user = { email, password: PASSWORD, email_verified: true };
  const { id: userId } = await call<{ id: string }>('POST', '/user_management/users', user);
  const provider = newProvider(known);
  const newTransport = () => new modules.ClientTransport(new URL(server.resource), { authProvider: provider });
  const first = newTransport();
  const connect = async () => {
    const client = new modules.Client({ name: kind, version: '1.0.0' });
    await client.connect(newTransport());
    return client;
  };
  await step(
    `${kind}: finds the authorization server and asks for a sign-in`,
    () =>
      new modules.Client({ name: kind, version: '1.0.0' }).connect(first).then(
        () => 'connected',
        (error: unknown) => (error instanceof modules.UnauthorizedError ? provider.kept.sentTo : String(error)),
      ),
    (sentTo) => sentTo.startsWith(`${GATEHOUSE_BASE_URL}/oauth2/`) && sentTo.includes('code_challenge'),
  );
  await step(
    `${kind}: exchanges the code for a token of the MCP server`,
    async () => first.finishAuth(await walk(provider.kept.sentTo, email)).then(() => provider.kept.tokens),
    (tokens) => tokens?.access_token !== undefined,
  );
  await step(
    `${kind}: calls a tool`,
    async () => (await connect()).callTool({ name: 'greet', arguments: {} }),
    ({ content }) => content[0]?.text === 'Hello',
  );
  await step(
    `${kind}: is rejected at the next call after the user’s authorization was deleted`,
    async () => {
      const path = `/user_management/users/${userId}/authorized_applications`;
      const { data } = await call<{ data: { application: { id: string } }[] }>('GET', path);
      for (const { application } of data) await call('DELETE', `${path}/${application.id}`);
      provider.kept.sentTo = '';
      return connect().then(
        () => 'connected',
        () => provider.kept.sentTo,
      );
    },
    (sentTo) => sentTo.startsWith(`${GATEHOUSE_BASE_URL}/oauth2/`),
  );
}

await play('dynamic registration', 'ada@example.com');
const registered = await call<{ client_id: string }>('POST', '/connect/applications', {
  name: 'Notes',
  application_type: 'oauth',
  is_first_party: false,
  organization_id: organizationId,
  redirect_uris: [{ uri: CALLBACK }],
});
await play('preregistered client', 'grace@example.com', { client_id: registered.client_id });
// The SDK chooses this client id by itself only if it is https, which no server of a laptop is.
const site = createServer((_request, response) => {
  const document = { client_id: documentUrl, client_name: 'Notes', redirect_uris: [CALLBACK] };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const documentUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/client.json`;
await play('metadata document', 'alan@example.com', { client_id: documentUrl });
site.close();
server.close();
console.log(JSON.stringify({ end: true }));
process.exit(0);
