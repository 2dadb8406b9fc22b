import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser } from '../../support/browser.ts';
import { call, reset, service } from '../../support/service.ts';
import {
  type App,
  application,
  authorizeUrl,
  CALLBACK,
  decide,
  exchange,
  isConsent,
  make,
  newVerifier,
  type Query,
  received,
  signIn,
  user,
} from './person.ts';

const EMAIL = 'ada@example.com';

let documents: Server;

beforeAll(async () => {
  documents = createServer((request, response) => {
    const url = `http://127.0.0.1:${(documents.address() as AddressInfo).port}${request.url ?? ''}`;
    const document = { client_id: url, client_name: 'Notes', redirect_uris: [CALLBACK] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve));
});

afterAll(() => void documents.close());

beforeEach(() => reset({ calm: true }));

async function dynamicClient(name = 'Notes'): Promise<App> {
  const body = { redirect_uris: [CALLBACK], client_name: name, token_endpoint_auth_method: 'none' };
  const path = `/oauth2/${(await service()).clientId}/register`;
  const { client_id: clientId } = (await call<{ client_id: string }>('POST', path, body, { apiKey: null })).body;
  return { id: clientId, clientId };
}

/** The kinds of applications, each made by a function. */
const kinds = {
  first: () => application({ is_first_party: true }),
  third: () => application(),
  dynamic: () => dynamicClient(),
  url: async () => {
    const clientId = `http://127.0.0.1:${(documents.address() as AddressInfo).port}/client.json`;
    return { id: clientId, clientId };
  },
};

type Kind = keyof typeof kinds;

/** Changes to the request that the user has consented to. */
const CHANGES = ['the same', 'fewer scopes', 'a further scope', 'another organization', 'another resource'] as const;

const PROMPTS = [undefined, 'consent', 'none'] as const;
const CELLS = CHANGES.flatMap((change) => PROMPTS.map((prompt) => ({ change, prompt })));

/** The outcome that the rules require for a request of an application. */
function expected(kind: Kind, change: (typeof CHANGES)[number], prompt: (typeof PROMPTS)[number]): string {
  const isChanged = change !== 'the same' && change !== 'fewer scopes';
  const isAsked = kind !== 'first' && (kind !== 'third' || isChanged || prompt === 'consent');
  if (!isAsked) return 'code';
  return prompt === 'none' ? 'consent_required' : 'asked';
}

describe('consent', () => {
  test('is requested depending on the kind of application, the prompt, the scopes, the organization and the resource', async () => {
    const [acme, other] = [
      await make('/organizations', { name: 'Acme' }),
      await make('/organizations', { name: 'Beta' }),
    ];
    const userId = await user(EMAIL, acme.id);
    await make('/user_management/organization_memberships', { user_id: userId, organization_id: other.id });
    const resource = 'https://mcp.example.com/mcp';
    await make('/user_management/hosted_oauth_resources', { uri: resource });
    const base: Query = { scope: 'openid email', organization_id: acme.id };
    const changes: Record<(typeof CHANGES)[number], Query> = {
      'the same': base,
      'fewer scopes': { ...base, scope: 'openid' },
      'a further scope': { ...base, scope: 'openid email profile' },
      'another organization': { ...base, organization_id: other.id },
      'another resource': { ...base, resource },
    };
    const person = browser();
    const wrong: unknown[] = [];
    for (const [kind, makeApp] of Object.entries(kinds) as [Kind, () => Promise<App>][]) {
      const app = await makeApp();
      await consent(person, app, base);
      for (const { change, prompt } of CELLS) {
        const page = await person.open(await authorizeUrl(app, newVerifier(), { ...changes[change], prompt }));
        const { code, error } = received(page);
        const seen = isConsent(page) ? 'asked' : code === undefined ? error : 'code';
        const wanted = expected(kind, change, prompt);
        if (seen !== wanted) wrong.push({ kind, change, prompt, seen, wanted });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('marks an application that registered itself as unverified, whatever its name, and shows the host of its redirect URI', async () => {
    await user(EMAIL);
    const person = browser();
    const names = ['Gatehouse <b>Support</b>', 'Acme\u202Egro.elpmaxe', '👩‍🚀 \uFFFF', ' \n ', 'x'.repeat(1_000)];
    for (const [at, name] of names.entries()) {
      const app = await dynamicClient(name);
      const opened = await person.open(await authorizeUrl(app, newVerifier()));
      const page = at === 0 ? await signIn(person, opened, EMAIL) : opened;
      expect([name, isConsent(page)]).toEqual([name, true]);
      for (const text of ['(unverified)', 'reports.example.org', EMAIL]) expect(page.text).toContain(text);
      for (const text of ['<b>Support', '\u202E', 'x'.repeat(101)]) expect(page.text).not.toContain(text);
      expect(page.text).not.toMatch(/<img[^>]+src="http/);
    }
  });
});

/** Consents to a request, with the sign-in if this is the browser's first. */
async function consent(person: Browser, app: App, query: Query): Promise<void> {
  const opened = await person.open(await authorizeUrl(app, newVerifier(), query));
  const page = new URL(opened.url).pathname === '/hosted/sign-in' ? await signIn(person, opened, EMAIL) : opened;
  const last = isConsent(page) ? await decide(person, page, 'approve') : page;
  expect(received(last).code).toEqual(expect.any(String));
}

describe('a redirect URI', () => {
  const REGISTERED = [
    'https://app.example.org/cb',
    'https://app.example.org/a%2Fb?x=1',
    'http://127.0.0.1/cb',
    'com.example.app:/cb',
  ];
  const MATCHING = [...REGISTERED, 'http://127.0.0.1:1/cb', 'http://127.0.0.1:65535/cb'];
  const OTHER = {
    'a further slash': 'https://app.example.org/cb/',
    'a query': 'https://app.example.org/cb?x=1',
    'another query': 'https://app.example.org/a%2Fb?x=2',
    'a decoded slash': 'https://app.example.org/a/b?x=1',
    'another case of the encoding': 'https://app.example.org/a%2fb?x=1',
    'an encoded letter': 'https://app.example.org/%63b',
    'user information': 'https://app.example.org@evil.example.net/cb',
    'a user name': 'https://user@app.example.org/cb',
    'the default port': 'https://app.example.org:443/cb',
    'another port': 'https://app.example.org:8443/cb',
    'a backslash': 'https://app.example.org\\@evil.example.net/cb',
    'a backslash in the path': 'https://app.example.org\\cb',
    'an upper-case host': 'https://APP.example.org/cb',
    'an upper-case path': 'https://app.example.org/CB',
    'an upper-case scheme': 'HTTPS://app.example.org/cb',
    'dot segments': 'https://app.example.org/a/../cb',
    'encoded dot segments': 'https://app.example.org/a/%2e%2e/cb',
    'a double slash': 'https://app.example.org//cb',
    'a fragment': 'https://app.example.org/cb#x',
    'an empty fragment': 'https://app.example.org/cb#',
    'a wildcard': 'https://*.example.org/cb',
    'a subdomain': 'https://x.app.example.org/cb',
    'a host with this suffix': 'https://evilapp.example.org/cb',
    'a host with this prefix': 'https://app.example.org.evil.net/cb',
    'a host with a final dot': 'https://app.example.org./cb',
    'no scheme': '//app.example.org/cb',
    'plain http': 'http://app.example.org/cb',
    'a space before it': ' https://app.example.org/cb',
    'a tab in it': 'https://app.example.org/\tcb',
    'a null in it': 'https://app.example.org/cb\0',
    'a lookalike letter': 'https://аpp.example.org/cb',
    'a script': 'javascript:alert(1)',
    'another loopback name': 'http://localhost/cb',
    'the IPv6 loopback': 'http://[::1]/cb',
    'another loopback address': 'http://127.0.0.2/cb',
    'an address in another notation': 'http://0x7f000001/cb',
    'a loopback host with user information': 'http://127.0.0.1:80@evil.example.net/cb',
    'a loopback host by https': 'https://127.0.0.1/cb',
    'another path of the loopback host': 'http://127.0.0.1:8080/other',
    'a port that is none': 'http://127.0.0.1:99999/cb',
    'another own scheme': 'com.example.other:/cb',
    'a further slash of the own scheme': 'com.example.app://cb',
    'an empty text': ' ',
  };

  test('is compared as a text at authorize, with any port on a loopback host; nothing is sent to any other', async () => {
    const app = await application({ redirect_uris: REGISTERED.map((uri) => ({ uri })) });
    const open = async (uri: string) => {
      const { pathname, search } = new URL(await authorizeUrl(app, newVerifier(), { redirect_uri: uri }));
      const { status, headers } = await call('GET', `${pathname}${search}`, undefined, { apiKey: null });
      return { status, location: headers.location };
    };
    for (const uri of MATCHING) expect([uri, (await open(uri)).status]).toEqual([uri, 302]);
    for (const [title, uri] of Object.entries(OTHER)) {
      expect([title, await open(uri)]).toEqual([title, { status: 400, location: undefined }]);
    }
  });

  test('of the exchange must be exactly that of the request', async () => {
    await user(EMAIL);
    const app = await application({ redirect_uris: REGISTERED.map((uri) => ({ uri })) });
    const verifier = newVerifier();
    const person = browser();
    const query = { redirect_uri: 'https://app.example.org/cb' };
    const opened = await signIn(person, await person.open(await authorizeUrl(app, verifier, query)), EMAIL);
    const { code } = received(await decide(person, opened, 'approve'));
    for (const [title, uri] of Object.entries({ ...OTHER, registered: 'http://127.0.0.1/cb', missing: undefined })) {
      const { status, body } = await exchange(app, code, verifier, { redirect_uri: uri });
      expect([title, status, body.error]).toEqual([title, 400, 'invalid_grant']);
    }
    expect((await exchange(app, code, verifier, query)).status).toBe(200);
  });
});
