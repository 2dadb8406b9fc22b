import { beforeEach, describe, expect, test } from '@jest/globals';

import { nameServer } from '../../support/name-server.ts';
import { receiver } from '../../support/receiver.ts';
import { call, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { SLUG, vend } from './connection.ts';

/** Addresses of private networks in every spelling that a URL parser or a resolver understands. */
const PRIVATE = [
  'https://169.254.169.254/latest/meta-data',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://0251.0376.0251.0376/',
  'https://169.254.43518/',
  'https://10.0.0.1/token',
  'https://172.16.0.1/token',
  'https://192.168.1.1/token',
  'https://0.0.0.0/token',
  'https://100.64.0.1/token',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[::]/',
];

const OTHERWISE = [
  ['ftp://example.com/token', 'scheme_refused'],
  ['https://user:password@example.com/token', 'userinfo_refused'],
  ['https://example.com/token#fragment', 'invalid_url'],
] as const;

const create = (definition: Record<string, unknown>) =>
  call<{ message: string; errors: { field: string; code: string }[] }>('POST', '/data-integrations', {
    provider: SLUG,
    enabled: true,
    auth_methods: ['client_credentials'],
    custom_provider: { name: 'Third Party', ...definition },
  });

beforeEach(() => reset());

describe('an address of a custom provider', () => {
  test.each([...PRIVATE.map((url) => [url, 'address_refused'] as const), ...OTHERWISE])(
    '%s is rejected when it is saved: %s',
    async (url, code) => {
      const { status, body } = await create({ token_url: url });
      expect([status, body.errors]).toMatchObject([422, [{ field: 'custom_provider.token_url', code }]]);
      expect(body.message).toContain('custom_provider.token_url');
    },
  );

  test.each(['authorization_url', 'refresh_token_url'])('is also rejected as %s', async (name) => {
    const { status, body } = await create({ token_url: 'https://example.com/token', [name]: PRIVATE[0] });
    expect([status, body.errors[0]?.field]).toEqual([422, `custom_provider.${name}`]);
  });

  test('is rejected when it is changed', async () => {
    expect((await create({ token_url: 'https://example.com/token' })).status).toBe(201);
    const custom_provider = { token_url: PRIVATE[0] };
    expect((await call('PUT', `/data-integrations/${SLUG}`, { custom_provider })).status).toBe(422);
  });
});

describe('a request to a custom provider', () => {
  const attempt = async (token_url: string) => {
    expect((await create({ token_url })).status).toBe(201);
    const user_id = await addUser();
    const client = { user_id, client_id: 'id', client_secret: 'a-secret-of-it' };
    expect((await call('PUT', `/data-integrations/${SLUG}/client-credentials`, client)).status).toBe(200);
    return vend(user_id);
  };

  test.each(['169.254.169.254', '10.1.2.3', '192.168.0.10'])(
    'whose name resolves to %s is rejected',
    async (address) => {
      (await nameServer()).address4('rebound.example', address);
      const { status, body } = await attempt('https://rebound.example/token');
      expect([status, body.code]).toEqual([400, 'provider_refused']);
      expect(body.message).toContain('not a public address');
      expect(body.message).not.toContain(address);
      (await nameServer()).clear();
    },
  );

  test('in plain http is rejected, except on this machine', async () => {
    (await nameServer()).address4('plain.example', '93.184.215.14');
    const { status, body } = await attempt('http://plain.example/token');
    expect([status, body.code]).toEqual([400, 'provider_refused']);
    expect(body.message).toContain('must use https');
    (await nameServer()).clear();
  });

  test('does not follow a redirect', async () => {
    const inside = await receiver('/latest/meta-data');
    const hop = await receiver('/token');
    hop.respondWith({ status: 307, headers: { location: inside.url } });
    const { status, body } = await attempt(hop.url);
    expect([status, body.code]).toEqual([400, 'provider_refused']);
    expect(inside.requests).toHaveLength(0);
    expect(hop.requests).toHaveLength(1);
  });

  test('whose name cannot be resolved fails with a retryable error', async () => {
    await nameServer();
    const { status, body } = await attempt('https://nowhere.example/token');
    expect([status, body.code]).toEqual([503, 'provider_unavailable']);
  });

  test('is sent as JSON if the definition configures that', async () => {
    const party = await receiver('/token');
    const headers = { 'content-type': 'application/json' };
    party.respondWith({ headers, body: JSON.stringify({ access_token: 'a', token_type: 'bearer', instance: 'eu' }) });
    await create({ token_url: party.url, token_body_content_type: 'application/json' });
    const user_id = await addUser();
    const client = { user_id, client_id: 'id', client_secret: 'a-secret-of-it' };
    await call('PUT', `/data-integrations/${SLUG}/client-credentials`, client);
    expect((await vend(user_id)).body).toMatchObject({ credential: { value: 'a', metadata: { instance: 'eu' } } });
    expect(JSON.parse(party.requests[0]?.body ?? '')).toEqual({
      grant_type: 'client_credentials',
      client_id: 'id',
      client_secret: 'a-secret-of-it',
    });
  });

  test('with a too large or invalid response makes no connection', async () => {
    const party = await receiver('/token');
    party.respondWith({ body: 'x'.repeat(400_000) });
    const { status, body } = await attempt(party.url);
    expect([status, body.code]).toEqual([400, 'provider_refused']);
  });
});
