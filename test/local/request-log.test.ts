import { inflateRawSync } from 'node:zlib';

import { expect, test } from '@jest/globals';

import { issueResponse } from '../../functions/sign-in/sso/saml/issue.ts';
import { pathDisplay } from '../../lib/local/gateway/path-display.ts';
import { browser } from '../support/browser.ts';
import { testPair } from '../support/certificates.ts';
import { receiver } from '../support/receiver.ts';
import { runCommand } from './trial/start.ts';

interface Ready {
  url: string;
  api_key: string;
  client_id: string;
}

/** A token of the service's form. */
const readToken = (prefix: string): string => `${prefix}01M8CANARY0000000000000000${'cAnArY7'.repeat(7)}`;

test('the request log shows paths without the tokens in them', async () => {
  const { child, output } = await runCommand(['--ephemeral', '--port', '0', '--json']);
  const { url, api_key } = JSON.parse(output.out) as Ready;
  const token = readToken('invitation_token_');
  const organization = 'org_01JX0000000000000000000000';
  const paths = [
    `/user_management/invitations/by_token/${token}`,
    `/user_management/invitations/by_token/short-canary`,
    `/user_management/invitations/by_token/${token}/`,
    `/user_management/invitations/by_tokens/%63${token.slice(1)}`,
    `/x/pipes/authorizations/${readToken('connect_')}`,
    `/x/it_contact_invitations/${readToken('it_')}`,
    `/organizations/${organization}`,
  ];
  for (const path of paths) await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${api_key}` } });
  child.kill();
  await new Promise((resolve) => child.once('close', resolve));
  expect(output.err).not.toMatch(/canary/i);
  expect(output.err).toContain('GET /user_management/invitations/by_token/{token} ');
  expect(output.err).toContain('GET /x/pipes/authorizations/{token} ');
  expect(output.err).toContain('GET /x/it_contact_invitations/{token} ');
  expect(output.err).toContain(`GET /organizations/${organization} `);
});

test('no key, secret, token, code or assertion of single sign-on is in the log, in an event or in an error', async () => {
  const { child, output } = await runCommand(['--ephemeral', '--port', '0', '--json'], {
    GATEHOUSE_LOG_LEVEL: 'debug',
  });
  const { url, api_key, client_id } = JSON.parse(output.out) as Ready;
  const redirect_uri = 'https://app.example.com/callback';
  const make = async <T = { id: string }>(path: string, body: object): Promise<T> => {
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as T;
  };
  const domain_data = [{ domain: 'canary.example', state: 'verified' }];
  const organization_id = (await make('/organizations', { name: 'Acme', domain_data })).id;
  await make('/user_management/redirect_uris', { uri: redirect_uri });
  const [idp, sp] = [testPair(), testPair('canary')];
  const secrets = new Set([sp.key.split('\n')[3] ?? '', 'SecretOfTheClient-0123456789-0123']);
  const pages: string[] = [];
  /** Goes to the identity provider of a connection. */
  const begin = async (connection: string) => {
    const person = browser();
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', connection });
    const page = await person.open(`${url}/sso/authorize?${query.toString()}`);
    const asked = new URL(page.headers.get('location') ?? page.url).searchParams;
    for (const name of ['RelayState', 'state', 'nonce']) secrets.add(asked.get(name) ?? sp.cert);
    return { person, asked };
  };

  const saml = await make('/connections', {
    organization_id,
    saml_options: {
      idp_entity_id: 'https://idp.example/',
      idp_sso_url: 'https://idp.example/sso',
      idp_signing_certs: [idp.cert],
      sp_signing_key_pair: sp,
      sp_encryption_key_pairs: [sp],
    },
  });
  for (const [at, privateKey] of [idp.key, sp.key, idp.key].entries()) {
    const { person, asked } = await begin(saml.id);
    const xml = inflateRawSync(Buffer.from(asked.get('SAMLRequest') ?? '', 'base64')).toString();
    const read = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
    const acsUrl = read(/AssertionConsumerServiceURL="([^"]+)"/);
    const response = issueResponse({
      privateKey,
      issuer: 'https://idp.example/',
      acsUrl: at === 2 ? 'https://another.example/' : acsUrl,
      audience: read(/<saml:Issuer>([^<]+)</),
      requestId: read(/ ID="([^"]+)"/),
      nameId: `SubjectOfTheAssertion${at}`,
      attributes: { id: `SubjectOfTheAssertion${at}`, email: 'ada@canary.example' },
      now: Date.now(),
      responseId: `_ResponseOfTheProvider${at}`,
      assertionId: `_AssertionOfTheProvider${at}`,
    });
    const SAMLResponse = Buffer.from(response).toString('base64');
    for (const part of ['SubjectOfTheAssertion', '_AssertionOfTheProvider', SAMLResponse.slice(400, 440)])
      secrets.add(part);
    const body = new URLSearchParams({ SAMLResponse, RelayState: asked.get('RelayState') ?? '' });
    const received = await person.request(acsUrl, { method: 'POST', body });
    pages.push(received.text);
    const { searchParams } = new URL((await person.open(received.headers.get('location') ?? '')).url);
    pages.push(searchParams.get('error_description') ?? '');
    const code = searchParams.get('code');
    if (code === null) continue;
    const granted = { client_id, client_secret: api_key, grant_type: 'authorization_code', code };
    secrets.add(code).add((await make<{ access_token: string }>('/sso/token', granted)).access_token);
    pages.push(JSON.stringify(await make('/sso/token', granted)));
  }

  const server = await receiver('');
  const issuer = new URL(server.url).origin;
  const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/j` };
  server.respondWith({ body: JSON.stringify({ issuer, ...endpoints }) });
  const oidc = await make('/connections', {
    organization_id,
    oidc_options: {
      discovery_endpoint: `${issuer}/.well-known/openid-configuration`,
      client_id: 'us',
      client_secret: 'SecretOfTheClient-0123456789-0123',
    },
  });
  const token = [{ alg: 'RS256' }, { sub: 'SubjectOfTheIdToken', iss: issuer, aud: 'us' }, 'SignatureOfTheIdToken']
    .map((part) => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url'))
    .join('.');
  secrets.add(token.slice(30, 60)).add('SubjectOfTheIdToken').add('TokenOfTheProvider').add('CodeOfTheProvider');
  const headers = { 'content-type': 'application/json' };
  for (const response of [
    { headers, body: JSON.stringify({ access_token: 'TokenOfTheProvider', token_type: 'Bearer', id_token: token }) },
    { headers, body: JSON.stringify({ access_token: 'TokenOfTheProvider' }) },
    { headers, status: 400, body: JSON.stringify({ error: 'invalid_grant', error_description: 'TokenOfTheProvider' }) },
    { status: 500, body: 'TokenOfTheProvider' },
  ]) {
    const { person, asked } = await begin(oidc.id);
    server.respondWith(response);
    const query = new URLSearchParams({ state: asked.get('state') ?? '', code: 'CodeOfTheProvider' });
    const page = await person.open(`${asked.get('redirect_uri') ?? ''}?${query.toString()}`);
    pages.push(new URL(page.url).searchParams.get('error_description') ?? '');
  }
  await fetch(`${url}/_local/idle?wait_ms=10000`);
  const kinds = ['started', 'succeeded', 'failed'].map((kind) => `authentication.sso_${kind}`);
  const listed = await fetch(`${url}/events?limit=100&events=${[...kinds, 'connection.activated'].join(',')}`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  const events = await listed.text();
  child.kill();
  await new Promise((resolve) => child.once('close', resolve));
  expect(events.match(/authentication\.sso_started/g)?.length).toBe(7);
  expect(events.match(/authentication\.sso_failed/g)?.length).toBe(6);
  const [, ...lines] = output.out.split('\n');
  const log = lines.join('\n') + output.err;
  expect(log).toContain('a sign-in through an OpenID provider failed');
  expect([...secrets].every((one) => one.length > 12)).toBe(true);
  const places = Object.entries({ log, events, errors: pages.join('\n') });
  const found = places.flatMap(([place, text]) =>
    [...secrets].filter((one) => text.includes(one)).map((one) => `${one} in ${place}`),
  );
  expect(found).toEqual([]);
});

test('paths without tokens are unchanged in the request log', () => {
  const display = pathDisplay({ functions: [] });
  for (const path of [
    '/',
    '/organizations/external_id/an-id-of-their-own',
    '/vault/v1/kv/name/a%20name%zz',
    '/x/webhook_endpoints/webhook_endpoint_01JX0000000000000000000000/deliveries',
    '/vault/v1/kv/0198c1a2-0000-7000-8000-000000000000',
  ]) {
    expect(display(path)).toBe(path);
  }
});
