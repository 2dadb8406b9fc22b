import { beforeEach, expect, test } from '@jest/globals';

import { makeClientId, newEnvironment, newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, reset, service } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';
import { post, REDIRECT_URI, requestIn, respondTo, type SentRequest } from './identity-provider.ts';
import { samlOptions } from './support.ts';

beforeEach(() => reset({ calm: true }));

/** One of the two sides that the tests compare: an organization with a connection, in an environment with its API key. */
interface Side {
  apiKey: string;
  clientId: string;
  organizationId: string;
  connectionId: string;
}

/** Creates an organization with a connection. Both sides have the same identity provider, with the same key. */
async function newSide(own: Pick<Side, 'apiKey' | 'clientId'>, domain: string): Promise<Side> {
  const make = async (path: string, body: object): Promise<string> => {
    const made = await call<{ id: string }>('POST', path, body, { apiKey: own.apiKey });
    expect([path, made.status]).toEqual([path, 201]);
    return made.body.id;
  };
  const domain_data = [{ domain, state: 'verified' }];
  const organizationId = await make('/organizations', { name: domain, domain_data });
  const saml = { organization_id: organizationId, saml_options: samlOptions() };
  return { ...own, organizationId, connectionId: await make('/connections', saml) };
}

async function register({ apiKey }: Pick<Side, 'apiKey'>): Promise<void> {
  const registered = await call('POST', '/user_management/redirect_uris', { uri: REDIRECT_URI }, { apiKey });
  expect(registered.status).toBe(201);
}

/** A second environment in the table of the service. */
async function newOther(): Promise<Pick<Side, 'apiKey' | 'clientId'>> {
  // Allows this process to write into the table of the service.
  await environment();
  const { record, write } = newEnvironment('Other');
  const key = newEnvironmentKey(record.id, 'test');
  await commitRows(record.id, [write, ...key.writes]);
  return { apiKey: key.value, clientId: makeClientId(record.id) };
}

const authorizeUrl = async (path: string, clientId: string, more: Record<string, string>): Promise<string> => {
  const query = { client_id: clientId, redirect_uri: REDIRECT_URI, response_type: 'code', ...more };
  return `${(await service()).url}${path}?${new URLSearchParams(query).toString()}`;
};

/** A browser of one side at the identity provider, with the URL that redirected it there. */
interface Visit {
  person: Browser;
  startUrl: string;
  request: SentRequest;
}

async function visit({ clientId, connectionId }: Side): Promise<Visit> {
  const person = browser();
  const started = await person.request(await authorizeUrl('/sso/authorize', clientId, { connection: connectionId }));
  const startUrl = started.headers.get('location') ?? '';
  const { url } = await person.open(startUrl);
  return { person, startUrl, request: requestIn(url) };
}

const readCode = ({ url }: Page): string | null => new URL(url).searchParams.get('code');
const readError = ({ url }: Page): string | null => new URL(url).searchParams.get('error');

const finish = async ({ person, request }: Visit, email: string): Promise<string> => {
  const response = await post(request.acsUrl, await respondTo(request, email), request.relayState);
  return readCode(await person.open(response.headers.get('location') ?? '')) ?? '';
};

const exchange = (clientId: string, apiKey: string, code: string) =>
  call<{ access_token: string; profile: { id: string }; error?: string }>(
    'POST',
    '/sso/token',
    { client_id: clientId, client_secret: apiKey, grant_type: 'authorization_code', code },
    { apiKey: null },
  );

/** Tries what one side has at the other, for any two sides: a row is a name, what was seen, and what must be seen. */
async function crossings(own: Side, other: Side, emails: { own: string; other: string }) {
  const [mine, theirs] = [await visit(own), await visit(other)];
  const stolen = await respondTo(mine.request, emails.own);
  const status = async (page: Promise<Page>): Promise<number> => (await page).status;
  const { host } = new URL(mine.request.acsUrl);
  const response = await post(
    theirs.request.acsUrl,
    await respondTo(theirs.request, emails.other),
    theirs.request.relayState,
  );
  const [[name = ''] = []] = [...theirs.person.cookies(host)].filter(([cookie]) => cookie.includes('sso_'));
  const [[, value = ''] = []] = [...mine.person.cookies(host)].filter(([cookie]) => cookie.includes('sso_'));
  const thief = browser();
  thief.cookies(host).set(name, value);
  const third = await visit(other);
  const replayed = await post(third.request.acsUrl, stolen, third.request.relayState);
  const rows: [string, unknown, unknown][] = [
    [
      'RelayState of one at the ACS of the other',
      await status(post(theirs.request.acsUrl, stolen, mine.request.relayState)),
      400,
    ],
    [
      'RelayState of the other at the ACS of one',
      await status(post(mine.request.acsUrl, stolen, third.request.relayState)),
      400,
    ],
    [
      'the assertion for one in a sign-in of the other',
      readError(await third.person.open(replayed.headers.get('location') ?? '')),
      'server_error',
    ],
    [
      'the cookie of one for the state of the other',
      await status(thief.open(response.headers.get('location') ?? '')),
      400,
    ],
    [
      'the connection of the other in the started sign-in of one',
      requestIn((await browser().open(`${await visitStart(own)}&connection=${other.connectionId}`)).url).acsUrl,
      mine.request.acsUrl,
    ],
    ['the control: the sign-in of one', typeof (await finish(mine, emails.own)), 'string'],
  ];
  return rows;
}

/** Returns the URL to which an application's request redirects, without opening it. */
async function visitStart({ clientId, connectionId }: Side): Promise<string> {
  const url = await authorizeUrl('/sso/authorize', clientId, { connection: connectionId });
  return (await browser().request(url)).headers.get('location') ?? '';
}

/** Tries the certificates and keys of one connection below the other connection, with the API key of the other. */
async function ownedParts(own: Side, other: Side): Promise<[string, unknown, unknown][]> {
  const lists = ['saml_idp_signing_certs', 'saml_sp_encryption_certs'] as const;
  const at = ({ connectionId }: Side, name: string): string => `/connections/${connectionId}/${name}`;
  const sendAs = (side: Side, method: string, path: string, body?: object) =>
    call<{ data: { id: string }[] }>(method, path, body, { apiKey: side.apiKey });
  expect((await sendAs(own, 'POST', at(own, 'saml_sp_encryption_certs'), {})).status).toBeLessThan(300);
  const signing = await call<{ id: string }>('POST', at(own, 'saml_sp_signing_cert'), {}, { apiKey: own.apiKey });
  const unsigned = sendAs(other, 'DELETE', `${at(other, 'saml_sp_signing_cert')}/${signing.body.id}`);
  const rows: [string, unknown, unknown][] = [['an id of saml_sp_signing_cert', (await unsigned).status, 404]];
  for (const name of lists) {
    const { body } = await sendAs(own, 'GET', at(own, name));
    const removed = sendAs(other, 'DELETE', `${at(other, name)}/${body.data[0]?.id}`);
    rows.push([`an id of ${name}`, (await removed).status, 404]);
    const kept = await sendAs(own, 'GET', at(own, name));
    rows.push([`the control: ${name}`, kept.body.data.length, body.data.length]);
  }
  expect((await sendAs(own, 'GET', at(own, 'saml_sp_signing_cert'))).status).toBe(200);
  return rows;
}

const compare = (rows: readonly (readonly [string, unknown, unknown])[]): void =>
  expect(rows.map(([name, seen]) => [name, seen])).toEqual(rows.map(([name, , expected]) => [name, expected]));

test('an environment rejects every token, key, cookie, code and id of another one', async () => {
  const [here, there] = [await service(), await newOther()];
  await Promise.all([register(here), register(there)]);
  const [own, other] = [await newSide(here, 'acme.example'), await newSide(there, 'acme.example')];
  const email = 'ada@acme.example';
  compare(await crossings(own, other, { own: email, other: email }));
  compare(await crossings(other, own, { own: email, other: email }));
  const code = await finish(await visit(own), email);
  const wrong = [await exchange(other.clientId, other.apiKey, code), await exchange(own.clientId, other.apiKey, code)];
  const { body } = await exchange(own.clientId, own.apiKey, code);
  const theirs = (method: string, path: string, sent?: object) => call(method, path, sent, { apiKey: other.apiKey });
  const at = async (path: string, more: Record<string, string>): Promise<string | null> =>
    readError(await browser().open(await authorizeUrl(path, other.clientId, more)));
  const key = 'key-of-one';
  const x = `/x/connections/${own.connectionId}`;
  const attempts = await call<{ data: { id: string }[] }>('GET', `${x}/attempts`);
  expect((await call('PATCH', x, { external_key: key })).status).toBe(200);
  const profile = (token: string) => call('GET', '/sso/profile', undefined, { apiKey: token });
  const saml = { organization_id: own.organizationId, saml_options: samlOptions() };
  compare([
    [
      'a code with the client of the other',
      wrong.map(({ body: { error } }) => error),
      ['invalid_grant', 'invalid_client'],
    ],
    ['the control: a code', body.profile.id.startsWith('prof_'), true],
    [
      'a connection in /sso/authorize',
      await at('/sso/authorize', { connection: own.connectionId }),
      'connection_invalid',
    ],
    ['an organization', await at('/sso/authorize', { organization: own.organizationId }), 'organization_invalid'],
    [
      'a connection in /user_management/authorize',
      await at('/user_management/authorize', { connection_id: own.connectionId, provider: '' }),
      'invalid_connection',
    ],
    [
      'a profile at the logout',
      (await theirs('POST', '/sso/logout/authorize', { profile_id: body.profile.id })).status,
      404,
    ],
    ['a connection', (await theirs('GET', `/connections/${own.connectionId}`)).status, 404],
    ['a change of a connection', (await theirs('PATCH', x, { state: 'inactive' })).status, 404],
    ['the removal of a connection', (await theirs('DELETE', `/connections/${own.connectionId}`)).status, 404],
    ['its attempts', (await theirs('GET', `${x}/attempts`)).status, 404],
    [
      'an attempt',
      (await theirs('GET', `/x/connections/${other.connectionId}/attempts/${attempts.body.data[0]?.id}`)).status,
      404,
    ],
    ['a test sign-in', (await theirs('POST', `${x}/test_sign_ins`, {})).status, 404],
    ...(await ownedParts(own, other)),
    ['a policy', (await theirs('GET', `/x/organizations/${own.organizationId}/sso_policy`)).status, 404],
    [
      'a change of a policy',
      (await theirs('PUT', `/x/organizations/${own.organizationId}/sso_policy`, {})).status,
      404,
    ],
    ['an organization for a connection', (await theirs('POST', '/connections', saml)).status, 404],
    [
      'an external_key',
      (await theirs('PATCH', `/x/connections/${other.connectionId}`, { external_key: key })).status,
      409,
    ],
    [
      'the access token of a profile as an API key',
      (await call('GET', '/connections', undefined, { apiKey: body.access_token })).status,
      401,
    ],
    ['an API key as the access token of a profile', (await profile(other.apiKey)).status, 401],
    ['the control: an access token', (await profile(body.access_token)).status, 200],
  ]);
});

test('of two organizations, no response, cookie, state or id of one works at the other', async () => {
  const here = await service();
  await register(here);
  const [own, other] = [await newSide(here, 'acme.example'), await newSide(here, 'beta.example')];
  const emails = { own: 'ada@acme.example', other: 'bob@beta.example' };
  compare(await crossings(own, other, emails));
  compare(await crossings(other, own, { own: emails.other, other: emails.own }));
  const at = `/connections/${own.connectionId}/saml_idp_signing_certs`;
  const [certificates, attempts] = await Promise.all([
    call<{ data: { id: string }[] }>('GET', at),
    call<{ data: { id: string }[] }>('GET', `/x/connections/${own.connectionId}/attempts`),
  ]);
  const certificate = `/connections/${other.connectionId}/saml_idp_signing_certs/${certificates.body.data[0]?.id}`;
  const attempt = `/x/connections/${other.connectionId}/attempts/${attempts.body.data[0]?.id}`;
  compare([
    ['a certificate', (await call('DELETE', certificate)).status, 404],
    ['an attempt', (await call('GET', attempt)).status, 404],
    ...(await ownedParts(own, other)),
  ]);
});
