import { generateKeyPairSync } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset, service } from '../../support/service.ts';

beforeEach(() => reset());

interface Provider {
  provider: string;
  client_secret_last_four: string | null;
  issuer: string;
  redirect_uri: string;
  scopes: string[];
  endpoints: Record<string, string | null>;
}

interface Rejected {
  errors: { field: string; code: string }[];
}

const SECRET = 'a-secret-that-nobody-sees-1234';
const google = { client_id: 'us-at-google', client_secret: SECRET };

const configure = (provider: string, body: object) =>
  call<Provider & Rejected>('PUT', `/x/social/providers/${provider}`, body);
const makeFields = ({ body }: Awaited<ReturnType<typeof configure>>) => body.errors.map(({ field }) => field);

describe('a configured provider', () => {
  test('is shown without its secret, with the redirect URI to register', async () => {
    const { status, body } = await configure('GoogleOAuth', google);
    const { url, clientId } = await service();
    expect([status, body]).toEqual([
      200,
      {
        object: 'social_provider',
        provider: 'GoogleOAuth',
        name: 'Google',
        enabled: true,
        client_id: 'us-at-google',
        client_secret_last_four: '1234',
        scopes: ['openid', 'profile', 'email'],
        return_oauth_tokens: false,
        tenant: null,
        issuer: 'https://accounts.google.com',
        endpoints: { authorization: null, token: null, userinfo: null, emails: null, jwks: null },
        apple: null,
        redirect_uri: `${url}/x/social/callback/GoogleOAuth/${clientId}`,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const read = await call('GET', '/x/social/providers/GoogleOAuth');
    const listed = await call<{ data: unknown[] }>('GET', '/x/social/providers');
    expect(read.body).toEqual(body);
    expect(listed.body.data).toEqual([body]);
    expect(JSON.stringify([body, read, listed])).not.toContain(SECRET);
  });

  test('keeps members that an update does not name, and resets those that are null', async () => {
    await configure('MicrosoftOAuth', { ...google, scopes: ['openid'], tenant: 'organizations' });
    const kept = (await configure('MicrosoftOAuth', { enabled: false })).body;
    expect(kept).toMatchObject({ enabled: false, scopes: ['openid'], tenant: 'organizations' });
    expect(kept).toMatchObject({ client_secret_last_four: '1234' });
    expect(kept.issuer).toBe('https://login.microsoftonline.com/organizations/v2.0');
    const cleared = await configure('MicrosoftOAuth', { scopes: null, tenant: null, client_secret: SECRET });
    expect(cleared.body).toMatchObject({ scopes: ['openid', 'profile', 'email'], tenant: null });
    expect(cleared.body.issuer).toBe('https://login.microsoftonline.com/common/v2.0');
  });

  test('requires its secret again when its address changes, so that the secret cannot be redirected', async () => {
    await configure('GitLabOAuth', google);
    for (const move of [
      { issuer: 'https://evil.example' },
      { endpoints: { token: 'https://evil.example/token' } },
      { endpoints: { jwks: 'https://evil.example/keys' } },
    ]) {
      const rejected = await configure('GitLabOAuth', move);
      expect([rejected.status, makeFields(rejected)]).toEqual([422, ['client_secret']]);
    }
    const moved = await configure('GitLabOAuth', { issuer: 'https://gitlab.example.com', client_secret: SECRET });
    expect(moved.body.issuer).toBe('https://gitlab.example.com');
    const back = await configure('GitLabOAuth', { issuer: null });
    expect([back.status, makeFields(back)]).toEqual([422, ['client_secret']]);
    await configure('MicrosoftOAuth', { ...google, tenant: 'example.com' });
    const tenant = await configure('MicrosoftOAuth', { tenant: 'evil.example' });
    expect([tenant.status, makeFields(tenant)]).toEqual([422, ['client_secret']]);
  });

  test('of a GitHub Enterprise Server has its endpoints on that server', async () => {
    const { body } = await configure('GitHubOAuth', { ...google, issuer: 'https://github.example.com' });
    expect(body.endpoints).toMatchObject({
      authorization: 'https://github.example.com/login/oauth/authorize',
      userinfo: 'https://github.example.com/api/v3/user',
      emails: 'https://github.example.com/api/v3/user/emails',
    });
  });

  test('is not found after its deletion', async () => {
    await configure('GoogleOAuth', google);
    expect((await call('DELETE', '/x/social/providers/GoogleOAuth')).status).toBe(204);
    expect((await call('GET', '/x/social/providers/GoogleOAuth')).status).toBe(404);
    expect((await call('DELETE', '/x/social/providers/GoogleOAuth')).status).toBe(404);
  });
});

describe('a provider configuration is rejected', () => {
  test.each(['NobodyOAuth', 'VercelMarketplaceOAuth', 'constructor', '__proto__'])(
    'for %s, which is not a sign-in provider',
    async (provider) => {
      expect((await configure(provider, google)).status).toBe(404);
    },
  );

  test('without a client or a secret', async () => {
    const rejected = await configure('GoogleOAuth', {});
    expect([rejected.status, makeFields(rejected)]).toEqual([422, ['client_id', 'client_secret']]);
  });

  test.each([
    'https://10.0.0.1',
    'https://169.254.169.254/latest',
    'https://user:password@example.com',
    'https://example.com?a=b',
    'https://example.com#fragment',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ])('with the issuer %s', async (issuer) => {
    const rejected = await configure('GoogleOAuth', { ...google, issuer });
    expect([rejected.status, makeFields(rejected)]).toEqual([422, ['issuer']]);
  });

  test('with endpoints that are not public addresses', async () => {
    const endpoints = { token: 'https://192.168.0.1/token', jwks: 'ftp://example.com/keys' };
    const rejected = await configure('GoogleOAuth', { ...google, endpoints });
    expect([rejected.status, makeFields(rejected)]).toEqual([422, ['endpoints.token', 'endpoints.jwks']]);
  });

  test('with members of another provider', async () => {
    const tenant = await configure('GoogleOAuth', { ...google, tenant: 'common' });
    expect([tenant.status, makeFields(tenant)]).toEqual([422, ['tenant']]);
    const secret = await configure('AppleOAuth', google);
    expect([secret.status, makeFields(secret)]).toEqual([422, ['apple', 'client_secret']]);
  });

  test('for Apple with an invalid key, or of another curve, without repeating it', async () => {
    const makeKey = (namedCurve: string): string =>
      generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const apple = (private_key: string) => ({ client_id: 'us', apple: { team_id: 'T', key_id: 'K', private_key } });
    for (const key of ['no-key-at-all', makeKey('secp384r1')]) {
      const rejected = await configure('AppleOAuth', apple(key));
      expect([rejected.status, makeFields(rejected)]).toEqual([422, ['apple.private_key']]);
      expect(JSON.stringify(rejected.body)).not.toContain(key.slice(30, 60) || key);
    }
    const { status, body } = await configure('AppleOAuth', apple(makeKey('P-256')));
    expect([status, body]).toMatchObject([200, { apple: { team_id: 'T', key_id: 'K' } }]);
    expect(JSON.stringify(body)).not.toContain('PRIVATE KEY');
  });
});
