import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import type { Page } from 'playwright-core';

import { run } from '../local/trial/start.ts';

/** A service of this test, which browsers reach at `auth.gatehouse.localhost`. */
export interface SiteService {
  port: number;
  clientId: string;
  /** Calls the API with the environment's key. */
  call: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
  stop: () => Promise<void>;
}

const HOST = 'auth.gatehouse.localhost';
const command = fileURLToPath(new URL('../../bin/local.ts', import.meta.url));

/** Starts a service. */
export async function startSiteService(): Promise<SiteService> {
  const flags = ['--ephemeral', '--port', '0', '--host', HOST, '--json', '--quiet', '--no-limits'];
  const { child, output } = await run(command, flags);
  if (output.out === '') throw new Error(`The service did not start: ${output.err}`);
  const ready = JSON.parse(output.out) as { url: string; api_key: string; client_id: string };
  const { hostname, port } = new URL(ready.url);
  if (hostname !== HOST) throw new Error(`The service is at ${ready.url}`);
  return {
    port: Number(port),
    clientId: ready.client_id,
    call: async (method, path, body) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}: ${text}`);
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGINT');
      }),
  };
}

/** The official browser client, bundled as in an application's own build. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: "import { createClient } from '@workos-inc/authkit-js'; window.createClient = createClient;",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
  });
  return outputFiles[0]?.text ?? '';
}

/** An application without a back end, at every name below localhost. */
export interface SinglePageApplication {
  /** The application's origin under a host name. */
  at: (host: string) => string;
  close: () => Promise<void>;
}

/** Starts an application. Its pages read the options of the client from their query: `?devMode=true`. */
export async function startSinglePageApplication({ port, clientId }: SiteService): Promise<SinglePageApplication> {
  const script = await bundle();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://application');
    if (pathname === '/client.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      return;
    }
    if (pathname === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>Application</title><h1>Loading</h1><script src="/client.js"></script><script>
      const devMode = location.pathname.startsWith('/dev');
      const options = {
        apiHostname: '${HOST}', port: ${port}, https: false, devMode,
        redirectUri: location.origin + (devMode ? '/dev' : '/callback'),
      };
      createClient('${clientId}', options).then((client) => {
        window.client = client;
        document.querySelector('h1').textContent = client.getUser()?.email ?? 'Nobody';
      });
    </script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    at: (host) => `http://${host}:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The functions of the client that tests call in a page. */
interface ClientInPage {
  client: {
    signIn: () => Promise<void>;
    signOut: (options: { returnTo: string; navigate?: boolean }) => Promise<void> | void;
    getAccessToken: (options?: { forceRefresh?: boolean }) => Promise<string>;
  };
}

/** The user who is signed in to the application, after its client has loaded. */
export async function signedInUser(page: Page): Promise<string | null> {
  await page.locator('h1', { hasNotText: 'Loading' }).waitFor();
  return page.locator('h1').textContent();
}

export const beginSignIn = (page: Page): Promise<void> =>
  page.evaluate(() => void (globalThis as unknown as ClientInPage).client.signIn());

export const signOut = (page: Page, returnTo: string, navigate: boolean): Promise<void> =>
  page.evaluate(
    ([to, away]) => (globalThis as unknown as ClientInPage).client.signOut({ returnTo: to, navigate: away }),
    [returnTo, navigate] as const,
  );

/** The `sid` and `iat` of the client's access token, which is refreshed before if requested. */
export const accessToken = (page: Page, forceRefresh = false): Promise<string> =>
  page.evaluate(
    (force) => (globalThis as unknown as ClientInPage).client.getAccessToken({ forceRefresh: force }),
    forceRefresh,
  );
