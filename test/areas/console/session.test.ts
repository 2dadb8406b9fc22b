import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { openConsole, openPath } from '../../support/console.ts';
import { newOrganization } from '../../support/organizations.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, reset, service } from '../../support/service.ts';

// The pages show lists, which would lag without a calm table.
beforeEach(() => reset({ calm: true }));

const IDLE_SECONDS = 1_800;

/** The name and value of the browser's cookie of the console. */
async function readCookie(person: ReturnType<typeof browser>): Promise<[string, string]> {
  const { host } = new URL((await service()).url);
  const found = [...person.cookies(host)].find(([name]) => name.includes('gatehouse_console'));
  if (found === undefined) throw new Error('The browser has no cookie of the console');
  return found;
}

describe('a link into the console', () => {
  test('signs the browser in when its form is sent, and shows the environments of the stage', async () => {
    const { person, first } = await openConsole();
    expect([first.status, new URL(first.url).pathname]).toEqual([200, '/console']);
    expect(readText(first)).toContain('owner@gatehouse.example');
    expect(readText(first)).toContain('Local');
    expect((await openPath(person, '/console')).status).toBe(200);
  });

  test('has no effect when it is only opened', async () => {
    const person = browser();
    const page = await openPath(person, '/_local/console');
    expect([page.status, readText(page)]).toEqual([200, expect.stringContaining('“owner”')]);
    expect((await openPath(person, '/console')).status).toBe(401);
    expect((await person.submit(page)).status).toBe(200);
  });

  test('works once', async () => {
    const person = browser();
    const page = await openPath(person, '/_local/console');
    await person.submit(page);
    const again = await person.submit(page);
    expect([again.status, again.headers.get('x-error-code')]).toEqual([400, 'console_link_ended']);
    expect((await person.open(page.url)).status).toBe(400);
  });

  test('expires after 24 hours', async () => {
    const person = browser();
    const page = await openPath(person, '/_local/console');
    await advance(86_401);
    expect((await person.submit(page)).headers.get('x-error-code')).toBe('console_link_ended');
  });

  test('is rejected if the form is sent from another browser or another site', async () => {
    const person = browser();
    const page = await openPath(person, '/_local/console');
    const proof = /name="proof" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const body = new URLSearchParams({ proof }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const other = await browser().request(page.url, { method: 'POST', body, headers });
    expect(other.status).toBe(400);
    const foreign = { ...headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await person.request(page.url, { method: 'POST', body, headers: foreign })).status).toBe(400);
    expect((await person.submit(page)).status).toBe(200);
  });

  test('opens a session with a new cookie even if the browser has one already', async () => {
    const { person } = await openConsole();
    const [name, former] = await readCookie(person);
    await openConsole(person);
    const [, current] = await readCookie(person);
    expect(current).not.toBe(former);
    const { url } = await service();
    const old = await browser({ cookie: `${name}=${former}` }).open(`${url}/console`);
    expect(old.status).toBe(401);
  });
});

describe('a session of the console', () => {
  test('ends after 30 minutes without use', async () => {
    const { person } = await openConsole();
    await advance(IDLE_SECONDS - 60);
    expect((await openPath(person, '/console')).status).toBe(200);
    await advance(IDLE_SECONDS - 60);
    expect((await openPath(person, '/console')).status).toBe(200);
    await advance(IDLE_SECONDS + 1);
    expect((await openPath(person, '/console')).status).toBe(401);
  });

  test('ends after eight hours although it is used', async () => {
    const { person } = await openConsole();
    for (let spent = 0; spent < 8 * 3_600 - 1_500; spent += 1_500) {
      await advance(1_500);
      expect((await openPath(person, '/console')).status).toBe(200);
    }
    await advance(1_500);
    expect((await openPath(person, '/console')).status).toBe(401);
  });

  test('ends by signing out, also for a copy of its cookie', async () => {
    const { person, first } = await openConsole();
    const [name, value] = await readCookie(person);
    const out = await person.submit(first, {}, 'sign-out');
    expect(out.status).toBe(401);
    const { url } = await service();
    expect((await browser({ cookie: `${name}=${value}` }).open(`${url}/console`)).status).toBe(401);
  });

  test('is not ended by a form of another session', async () => {
    const [one, other] = [await openConsole(), await openConsole()];
    const proof = /name="proof" value="([^"]+)"/.exec(other.first.text)?.[1] ?? '';
    await one.person.submit(one.first, { proof }, 'sign-out');
    expect((await openPath(one.person, '/console')).status).toBe(200);
  });

  test('does not authenticate calls of the API by its cookie', async () => {
    const { person } = await openConsole();
    const { url } = await service();
    expect((await person.request(`${url}/organizations`)).status).toBe(401);
  });
});

describe('a page of the console', () => {
  test('shows records that it reads through the API', async () => {
    await newOrganization('Acme <b>');
    const { person } = await openConsole();
    const { clientId } = await service();
    const page = await openPath(person, `/console/e/${clientId.replace('client_', 'environment_')}/organizations`);
    expect([page.status, readText(page)]).toEqual([200, expect.stringContaining('Acme')]);
    expect(page.text).not.toContain('Acme <b>');
  });

  test('does not exist for an unknown environment', async () => {
    const { person } = await openConsole();
    const { status } = await openPath(person, '/console/e/environment_01K0G000000000000000000009');
    expect(status).toBe(404);
  });
});

describe('the environment of the operators', () => {
  test('has no public client save the console: no other endpoint knows its client id', async () => {
    await openConsole();
    const listResponses = async (client: string): Promise<unknown[]> => {
      const token = { client_id: client, grant_type: 'refresh_token', refresh_token: 'x' };
      const calls = [
        ['GET', `/sso/authorize?client_id=${client}&redirect_uri=https%3A%2F%2Fapp.example.com&response_type=code`],
        ['GET', `/sso/jwks/${client}`],
        ['GET', `/oauth2/${client}/jwks`],
        ['GET', `/portal/${client}/overview`],
        ['POST', '/user_management/authenticate', token],
        ['POST', '/user_management/authorize/device', { client_id: client }],
      ] as const;
      const found = calls.map(async ([method, path, body]) => {
        const { status, body: responseBody } = await call(method, path, body, { apiKey: null });
        return [method, path.replaceAll(client, ''), status, JSON.stringify(responseBody ?? '').replaceAll(client, '')];
      });
      return Promise.all(found);
    };
    const own = await listResponses('client_00000000000000000000000001');
    expect(own).toEqual(await listResponses('client_00000000000000000000000002'));
    expect(own.map((response) => (response as unknown[])[2])).not.toContain(200);
  });

  test('is unknown to the key of another environment', async () => {
    const { person } = await openConsole();
    expect((await openPath(person, '/console')).status).toBe(200);
    const { body } = await call<{ data: unknown[] }>('GET', '/user_management/users');
    expect(body.data).toEqual([]);
    expect((await call('GET', '/organizations/org_00000000000000000000000001')).status).toBe(404);
  });
});
