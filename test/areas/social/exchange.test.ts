import { generateKeyPairSync } from 'node:crypto';

import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';

import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { catalogue } from '../../../functions/sign-in/social/catalogue/facts.ts';
import {
  allowedParams,
  authorizationUrl,
  newBinding,
} from '../../../functions/sign-in/social/exchange/authorization.ts';
import type { ProviderClient } from '../../../functions/sign-in/social/exchange/client.ts';
import { type Callback, exchange } from '../../../functions/sign-in/social/exchange/exchange.ts';
import { toFault } from '../../../functions/sign-in/social/exchange/failure.ts';
import type { SocialProvider } from '../../../functions/sign-in/social/catalogue/find.ts';
import { type ProviderResponse, type ForgingProvider, forgingProvider } from './forging-provider.ts';

let provider: ForgingProvider;
const binding = { state: 'the-state', ...newBinding() };

beforeAll(() => {
  Object.assign(process.env, { GATEHOUSE_EGRESS_ALLOW: '127.0.0.0/8' });
  forgetSettings();
});
beforeEach(async () => {
  provider = await forgingProvider();
});

function client(name: SocialProvider = 'GoogleOAuth', more: Partial<ProviderClient> = {}): ProviderClient {
  const facts = catalogue[name];
  if (facts === undefined) throw new Error(`${name} is not in the catalogue`);
  return {
    facts,
    location: { issuer: provider.url },
    clientId: 'us',
    clientSecret: 'our-secret',
    redirectUri: 'https://auth.example.com/x/social/callback/GoogleOAuth/client_1',
    ...more,
  };
}

const claims = (more: Record<string, unknown> = {}): ProviderResponse['claims'] => ({
  iss: provider.url,
  aud: 'us',
  sub: '1234',
  nonce: binding.nonce,
  iat: Math.floor(Date.now() / 1_000),
  exp: Math.floor(Date.now() / 1_000) + 300,
  email: 'ada@example.com',
  email_verified: true,
  ...more,
});

const signIn = (response: ProviderResponse, own = client(), callback: Callback = {}) => {
  provider.responses.set('a-code', response);
  return exchange(own, binding, { code: 'a-code', ...callback });
};

/** The fault of an exchange that must fail. */
async function fault(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => 'success',
    (error: unknown) => toFault(error).code,
  );
  return outcome;
}

describe('the exchange of a provider’s code', () => {
  test('returns the user’s profile, and sends the verifier and the secret to the token endpoint only', async () => {
    const more = { given_name: 'Ada', family_name: 'Lovelace', name: 'Ada Lovelace', picture: 'https://a.example/p' };
    const { profile, tokens } = await signIn({ claims: claims(more), more: { refresh_token: 'r', scope: 'a b' } });
    expect(profile).toEqual({
      issuer: provider.url,
      subject: '1234',
      email: 'ada@example.com',
      isEmailProven: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      name: 'Ada Lovelace',
      pictureUrl: 'https://a.example/p',
    });
    expect(tokens).toMatchObject({ refreshToken: 'r', scopes: ['a', 'b'], expiresAt: expect.any(Number) });
    expect(provider.requests[0]?.body).toMatchObject({
      client_id: 'us',
      client_secret: 'our-secret',
      code_verifier: binding.verifier,
      redirect_uri: client().redirectUri,
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['of another issuer', { iss: 'https://accounts.google.com' }],
    ['for another audience', { aud: 'somebody-else' }],
    ['for several audiences and another party', { aud: ['us', 'them'], azp: 'them' }],
    ['for several audiences without a party', { aud: ['us', 'them'] }],
    ['of another request', { nonce: 'another-nonce' }],
    ['without the nonce', { nonce: undefined }],
    ['that has expired', { exp: Math.floor(Date.now() / 1_000) - 120 }],
    ['that does not expire', { exp: undefined }],
    ['without a subject', { sub: undefined }],
    ['with a subject that is none', { sub: { $ne: '' } }],
    ['with an endless subject', { sub: 'x'.repeat(256) }],
  ])('rejects an ID token %s', async (_title, wrong) => {
    expect(await fault(signIn({ claims: claims(wrong) }))).toBe('invalid_response');
  });

  test.each(['other key', 'none', 'public key as secret'] as const)(
    'rejects an ID token whose signature is: %s',
    async (signature) => {
      expect(await fault(signIn({ claims: claims(), signature }))).toBe('invalid_response');
    },
  );

  test('rejects a response without an ID token, even with an access token', async () => {
    expect(await fault(signIn({ claims: claims(), more: { id_token: undefined } }))).toBe('invalid_response');
  });

  test('rejects a response that names another issuer, before its code is sent (mix-up, RFC 9207)', async () => {
    const work = signIn({ claims: claims() }, client(), { iss: 'https://evil.example' });
    expect(await fault(work)).toBe('invalid_response');
    expect(provider.requests).toHaveLength(0);
  });

  test('rejects a response from another host for providers without ID tokens', async () => {
    const at = (path: string): string => `${provider.url}/${path}`;
    const endpoints = {
      authorization: at('authorize'),
      token: at('token'),
      userinfo: at('user'),
      emails: at('emails'),
    };
    const own = client('GitHubOAuth', { location: { issuer: provider.url, endpoints } });
    provider.resources = { '/user': { id: 42 }, '/emails': [] };
    for (const iss of ['https://evil.example/login/oauth', 'nonsense']) {
      expect(await fault(signIn({ claims: claims() }, own, { iss }))).toBe('invalid_response');
    }
    expect(provider.requests).toHaveLength(0);
    const honest: ProviderResponse = { claims: claims(), more: { id_token: undefined } };
    expect((await signIn(honest, own, { iss: at('login/oauth') })).profile.subject).toBe('42');
  });

  test('rejects a response without an issuer if the provider announces it (RFC 9207 section 2.4)', async () => {
    provider.metadata = { authorization_response_iss_parameter_supported: true };
    expect(await fault(signIn({ claims: claims() }))).toBe('invalid_response');
    const named = await signIn({ claims: claims() }, client(), { iss: provider.url });
    expect(named.profile.subject).toBe('1234');
  });

  test('rejects a provider whose discovery names another issuer', async () => {
    provider.metadata = { issuer: 'https://accounts.google.com' };
    expect(await fault(signIn({ claims: claims() }))).toBe('invalid_response');
  });

  test('reports that the user cancelled, without the provider’s text', async () => {
    const callback = { code: undefined, error: 'access_denied', error_description: '<script>' };
    const denied = await signIn({ claims: claims() }, client(), callback).catch(toFault);
    expect(denied).toEqual({ code: 'access_denied', message: 'The provider denied the sign-in.' });
    const odd = await signIn({ claims: claims() }, client(), { code: undefined, error: '<b>odd</b>' }).catch(toFault);
    expect(odd).toEqual({ code: 'provider_refused', message: 'The provider responded with an error.' });
  });

  test('distinguishes a rejected code from an unavailable provider', async () => {
    const rejection = { status: 400, body: { error: 'invalid_grant' } };
    expect(await fault(signIn({ claims: claims(), rejection }))).toBe('provider_refused');
    const silent = { status: 200, body: { ok: false, error: 'invalid_code' } };
    expect(await fault(signIn({ claims: claims(), rejection: silent }))).toBe('provider_refused');
    const wrongSecret = { status: 401, body: { error: 'invalid_client' } };
    expect(await fault(signIn({ claims: claims(), rejection: wrongSecret }))).toBe('provider_refused');
    await provider.close();
    expect(await fault(signIn({ claims: claims() }))).toBe('provider_unavailable');
  });

  test.each([
    ['/.well-known/openid-configuration', 200, 'invalid_response'],
    ['/.well-known/openid-configuration', 503, 'provider_unavailable'],
    ['/jwks', 200, 'invalid_response'],
    ['/jwks', 502, 'provider_unavailable'],
    ['/token', 200, 'invalid_response'],
    ['/token', 502, 'provider_unavailable'],
  ])('treats an HTML page instead of %s with %s as an unavailable provider', async (path, status, code) => {
    provider.pages[path] = status;
    expect(await fault(signIn({ claims: claims() }))).toBe(code);
    provider.pages = {};
    expect((await signIn({ claims: claims() })).profile.subject).toBe('1234');
  });

  test('requests the discovery document and the keys once', async () => {
    for (let time = 0; time < 3; time += 1) await signIn({ claims: claims() });
    expect(provider.paths.filter((path) => path.startsWith('/.well-known/'))).toHaveLength(1);
    expect(provider.paths.filter((path) => path === '/jwks')).toHaveLength(1);
  });

  test('requests the keys again for an unknown key id, also if they are below /.well-known/ (as at Xero)', async () => {
    provider.metadata = { jwks_uri: `${provider.url}/.well-known/openid-configuration/jwks` };
    const published = provider.keys.splice(0);
    expect(await fault(signIn({ claims: claims() }))).toBe('invalid_response');
    provider.keys.push(...published);
    expect((await signIn({ claims: claims() })).profile.subject).toBe('1234');
  });

  test('does not use keys that another configuration of the same issuer loaded', async () => {
    const evil = await forgingProvider();
    const location = { issuer: provider.url, endpoints: { token: `${evil.url}/token`, jwks: `${evil.url}/jwks` } };
    evil.responses.set('a-code', { claims: claims() });
    const forged = await exchange(client('GoogleOAuth', { location }), binding, { code: 'a-code' });
    expect(forged.profile.subject).toBe('1234');
    expect(await fault(signIn({ claims: claims(), signature: 'other key' }))).toBe('invalid_response');
    expect((await signIn({ claims: claims() })).profile.subject).toBe('1234');
  });
});

describe('the email in a provider’s response', () => {
  test.each<[SocialProvider, Record<string, unknown>, boolean]>([
    ['GoogleOAuth', { email_verified: true }, true],
    ['GoogleOAuth', { email_verified: false }, false],
    ['GoogleOAuth', { email_verified: 'yes' }, false],
    ['GoogleOAuth', { email_verified: undefined }, false],
    ['MicrosoftOAuth', { email_verified: true }, false],
    ['MicrosoftOAuth', { email_verified: true, xms_edov: false }, false],
    ['MicrosoftOAuth', { email_verified: true, xms_edov: '0' }, false],
    ['MicrosoftOAuth', { email_verified: undefined, xms_edov: true }, true],
    ['MicrosoftOAuth', { email_verified: undefined, xms_edov: '1' }, true],
    ['XeroOAuth', { email_verified: true }, false],
    ['SlackOAuth', { email_verified: true }, true],
  ])('of %s with %j is verified: %s', async (name, more, isEmailProven) => {
    const { profile } = await signIn({ claims: claims(more) }, client(name));
    expect(profile).toMatchObject({ email: 'ada@example.com', isEmailProven });
  });

  test('that is only in the userinfo response counts as verified if that response reports it as verified', async () => {
    const userinfo = { sub: '1234', email: 'ada@example.com', email_verified: true };
    const bare = claims({ email: undefined, email_verified: undefined });
    expect((await signIn({ claims: bare, userinfo })).profile.isEmailProven).toBe(true);
    const vouched = claims({ email: undefined, email_verified: true });
    const unproven = { sub: '1234', email: 'victim@example.com' };
    expect((await signIn({ claims: vouched, userinfo: unproven })).profile).toMatchObject({ isEmailProven: false });
  });

  test('from another account’s userinfo is rejected', async () => {
    const userinfo = { sub: 'another', email: 'victim@example.com', email_verified: true };
    const bare = claims({ email: undefined, email_verified: undefined });
    expect(await fault(signIn({ claims: bare, userinfo }))).toBe('invalid_response');
  });

  test.each([
    'nobody',
    'a@b@c',
    'a b@example.com',
    'ada@example.com\n',
    `${'x'.repeat(300)}@example.com`,
    7,
    ['a@b.c'],
  ])('that is invalid (%j) is ignored', async (email) => {
    const { profile } = await signIn({ claims: claims({ email }) });
    expect([undefined, 'ada@example.com']).toContain(profile.email);
  });
});

describe('an authorization at Apple', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const apple = {
    teamId: 'TEAM',
    keyId: 'KEY',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };

  test('uses a client secret that was signed for this request, and no PKCE verifier', async () => {
    const own = client('AppleOAuth', { clientSecret: undefined, apple });
    const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'victim@example.com' });
    const { profile } = await signIn({ claims: claims({ email_verified: 'true' }) }, own, { user });
    expect(profile).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' });
    expect(profile.isEmailProven).toBe(true);
    const { client_secret: secret = '', code_verifier } = provider.requests[0]?.body ?? {};
    expect(code_verifier).toBeUndefined();
    expect(decodeProtectedHeader(secret)).toMatchObject({ alg: 'ES256', kid: 'KEY' });
    const { iat = 0, exp = 0, ...others } = decodeJwt(secret);
    expect(others).toEqual({ iss: 'TEAM', sub: 'us', aud: 'https://appleid.apple.com' });
    expect(exp - iat).toBe(300);
  });

  test('requests the response by form_post', async () => {
    const url = await authorizationUrl(client('AppleOAuth', { clientSecret: undefined, apple }), binding, {
      scopes: ['email'],
    });
    expect(new URL(url).searchParams.get('response_mode')).toBe('form_post');
  });
});

describe('an authorization request to a provider', () => {
  test('has the values that bind its response, which an application cannot override', async () => {
    const evil = [
      'client_id',
      'redirect_uri',
      'state',
      'nonce',
      'code_challenge',
      'response_type',
      'RESPONSE_MODE',
      'request',
      'request_uri',
      'scope',
    ].map((name): [string, string] => [name, 'https://evil.example']);
    const queryParams: Record<string, string> = Object.fromEntries([...evil, ['access_type', 'offline']]);
    const preferences = {
      scopes: ['openid', 'email'],
      queryParams,
      loginHint: 'ada@example.com',
      domainHint: 'example.com',
    };
    const url = new URL(await authorizationUrl(client(), binding, preferences));
    expect(url.origin + url.pathname).toBe(`${provider.url}/authorize`);
    expect(url.href).not.toContain('evil.example');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'us',
      response_type: 'code',
      redirect_uri: client().redirectUri,
      state: 'the-state',
      nonce: binding.nonce,
      code_challenge_method: 'S256',
      scope: 'openid email',
      access_type: 'offline',
      login_hint: 'ada@example.com',
      hd: 'example.com',
    });
  });

  test('ignores parameters with invalid names', () => {
    expect(allowedParams({ 'a b': '1', 'x&state': '2', '': '3', hd: '4' })).toEqual([['hd', '4']]);
  });

  test.each(['javascript:alert(1)', 'http://10.0.0.1/authorize', 'data:text/html,x'])(
    'is not sent to %s, even if discovery names it',
    async (authorization_endpoint) => {
      provider.metadata = { authorization_endpoint };
      expect(await fault(authorizationUrl(client(), binding, { scopes: ['openid'] }))).not.toBe('success');
    },
  );

  test.each(['http://169.254.169.254/latest', 'http://10.0.0.1/token'])(
    'is rejected for a private address (%s) in the discovery document',
    async (token_endpoint) => {
      provider.metadata = { token_endpoint };
      expect(await fault(signIn({ claims: claims() }))).toBe('provider_unavailable');
    },
  );
});
