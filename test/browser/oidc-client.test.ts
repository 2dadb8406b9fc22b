import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';

import { application, endpoint, user } from '../areas/connect/person.ts';
import { reset, service } from '../support/service.ts';
import { closeChromium, describeInChromium, person } from './chromium.ts';
import * as steps from './steps.ts';

const EMAIL = 'ada@example.com';
const SLOW = 120_000;

/** The global variables of the application’s pages. */
interface InPage {
  manager: {
    signinRedirect: () => Promise<void>;
    signinSilent: () => Promise<{ access_token: string; refresh_token: string }>;
    revokeTokens: (types: string[]) => Promise<void>;
  };
}

/** The library, bundled as in an application's own build. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: "import { UserManager } from 'oidc-client-ts'; window.UserManager = UserManager;",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
  });
  return outputFiles[0]?.text ?? '';
}

/** Starts the server of an application without a back end, whose heading is the user who is signed in. */
async function startApplication(
  clientId: () => string,
  authority: string,
): Promise<{ server: Server; origin: string }> {
  const script = await bundle();
  const server = createServer((request, response) => {
    if (request.url === '/client.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>Application</title><h1>Loading</h1><script src="/client.js"></script><script>
      window.manager = new UserManager({
        authority: '${authority}', client_id: '${clientId()}', redirect_uri: location.origin + '/callback',
        scope: 'openid profile email offline_access', loadUserInfo: true,
      });
      (location.search.includes('code=') ? manager.signinCallback() : manager.getUser()).then(
        (user) => (document.querySelector('h1').textContent = user?.profile.email ?? 'Nobody'),
        (error) => (document.querySelector('h1').textContent = String(error)),
      );
    </script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describeInChromium('oidc-client-ts in an application without a back end', () => {
  let server: Server;
  let origin: string;
  let clientId = '';
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    await reset({ calm: true });
    const { url, clientId: environment } = await service();
    ({ server, origin } = await startApplication(() => clientId, `${url}/user_management/${environment}`));
    ({ clientId } = await application({ redirect_uris: [{ uri: `${origin}/callback` }] }));
    await user(EMAIL);
    context = await person({ locale: 'en' });
    page = await context.newPage();
  }, SLOW);
  afterAll(async () => {
    await context?.close();
    server?.closeAllConnections();
    server?.close();
    await closeChromium();
  }, SLOW);

  const heading = async (): Promise<string | null> => {
    await page.locator('h1', { hasNotText: 'Loading' }).waitFor();
    return page.locator('h1').textContent();
  };
  const refresh = () => page.evaluate(() => (globalThis as unknown as InPage).manager.signinSilent());
  /** Sends a refresh token from the page, as the library does. @returns the response */
  const exchange = (token: string, url: string) =>
    page.evaluate(
      async ([address, form]) => {
        const response = await fetch(address, { method: 'POST', body: new URLSearchParams(form) });
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      },
      [url, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token }] as const,
    );

  test(
    'discovers the server, signs in with PKCE and consent, refreshes, and revokes its refresh token',
    async () => {
      await page.goto(origin);
      expect(await heading()).toBe('Nobody');
      await page.evaluate(() => void (globalThis as unknown as InPage).manager.signinRedirect());
      await steps.enter(page, EMAIL);
      await page.locator('button[value=approve]').click();
      await page.waitForURL((address) => address.href.startsWith(`${origin}/callback`));
      expect(await heading()).toBe(EMAIL);

      const first = await refresh();
      const second = await refresh();
      expect(second.access_token).not.toBe(first.access_token);
      expect(second.refresh_token).not.toBe(first.refresh_token);

      await page.evaluate(() => (globalThis as unknown as InPage).manager.revokeTokens(['refresh_token']));
      const rejected = await exchange(second.refresh_token, await endpoint('token'));
      expect(rejected).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    },
    SLOW,
  );
});
