import { X509Certificate } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, importSPKI, jwtVerify } from 'jose';

import { browser } from '../../support/browser.ts';
import { call, reset, service } from '../../support/service.ts';
import { openIdProvider } from '../social/openid-provider.ts';
import { exchange, readReturn, REDIRECT_URI, redeem, registerApplication, startUrl } from './identity-provider.ts';
import { connect, enter, type Forging, forgingProvider } from './forging-openid.ts';
import { type Connection, organization, rejected } from './support.ts';

beforeEach(() => reset());

interface Token {
  profile: { id: string; email: string; idp_id: string; connection_type: string };
  error?: string;
}

const CLIENT = { client_id: 'gatehouse', client_secret: 'a-secret-of-thirty-two-characters' };

interface Displayed {
  external_key: string;
  oidc_options: { redirect_uri: string; jwt_signing_cert: string | null };
}

describe('an OpenID connection with the library oidc-provider as the identity provider', () => {
  /**
   * A connection to a provider, and a function that signs in `ada`, who enters a password only once.
   * @param method the client authentication, which the provider requires
   */
  async function connectProvider(method = 'client_secret_post') {
    await registerApplication();
    const provider = await openIdProvider();
    provider.open(['http://localhost/none']);
    const { client_id, client_secret } = CLIENT;
    const { connection } = await connect({
      discovery_endpoint: `${provider.url}/.well-known/openid-configuration`,
      client_id,
      client_secret,
      token_authentication_method: method,
      fetch_user_info: true,
    });
    expect(connection.connection_type).toBe('GenericOIDC');
    const displayed = await call<Displayed>('GET', `/x/connections/${connection.id}`);
    provider.open([displayed.body.oidc_options.redirect_uri], {
      token_endpoint_auth_method: method,
      post_logout_redirect_uris: [REDIRECT_URI],
      backchannel_logout_uri: `${(await service()).url}/sso/oidc/logout/${displayed.body.external_key}`,
      backchannel_logout_session_required: true,
    });
    const person = browser();
    const signIn = async (url: Promise<string>): Promise<string | undefined> => {
      let page = await person.open(await url);
      if (page.text.includes('name="login"')) page = await person.submit(page, { login: 'ada', password: 'any' });
      while (page.url.startsWith(provider.url)) page = await person.submit(page);
      return readReturn(page).code;
    };
    return { connection, person, signIn };
  }

  test.each(['client_secret_post', 'client_secret_basic'])(
    'signs in a user with a code, PKCE, a nonce and %s, and the profile contains the claims',
    async (method) => {
      const { connection, signIn } = await connectProvider(method);
      const code = await signIn(startUrl('/sso/authorize', { connection: connection.id, login_hint: 'ada' }));
      const { body } = await exchange<Token>(code);
      expect(body.profile).toMatchObject({ email: 'ada@example.com', idp_id: 'ada', connection_type: 'GenericOIDC' });
    },
  );

  test('logs out at the provider, and ends sessions after a back-channel logout of the provider', async () => {
    const { connection, person, signIn } = await connectProvider();
    const code = await signIn(startUrl('/user_management/authorize', { connection_id: connection.id }));
    const { body: granted } = await redeem<{ refresh_token: string }>(code);
    const { clientId, apiKey } = await service();
    const refresh = async (refresh_token: string) => {
      const body = { client_id: clientId, client_secret: apiKey, grant_type: 'refresh_token', refresh_token };
      return call<{ refresh_token: string }>('POST', '/user_management/authenticate', body);
    };
    const kept = await refresh(granted.refresh_token);
    expect(kept.status).toBe(200);
    const { body } = await exchange<Token>(await signIn(startUrl('/sso/authorize', { connection: connection.id })));
    const made = await call<{ logout_url: string }>('POST', '/sso/logout/authorize', { profile_id: body.profile.id });
    const page = await person.open(made.body.logout_url);
    expect(page.text).toContain('name="logout"');
    const returned = await person.submit(page, { logout: 'yes' });
    expect(returned.url).toContain(REDIRECT_URI);
    expect((await refresh(kept.body.refresh_token)).status).toBe(400);
    const again = await person.open(await startUrl('/sso/authorize', { connection: connection.id }));
    expect(again.text).toContain('name="login"');
  });
});

describe('an ID token of an identity provider', () => {
  let provider: Forging;
  let connection: Connection;
  let organizationId: string;
  beforeEach(async () => {
    await registerApplication();
    provider = await forgingProvider();
    ({ connection, organizationId } = await connect(provider.options));
  });

  test('that responds to this request signs in the user; a response to no request is rejected', async () => {
    provider.respond((nonce) => provider.issue({ nonce }));
    expect(await enter(connection)).toHaveProperty('code');
    const { body } = await call<{ external_key: string }>('GET', `/x/connections/${connection.id}`);
    const callback = `/sso/oidc/callback/${body.external_key}?state=sso_of_no_sign_in&code=x`;
    expect((await call('GET', callback, undefined, { apiKey: null })).status).toBe(400);
  });

  test.each<[string, (own: Forging, nonce: string) => Promise<string>]>([
    ['of another nonce', (own) => own.issue({ nonce: 'another' })],
    ['of another issuer', (own, nonce) => own.issue({ nonce, iss: 'https://evil.example' })],
    ['for another client', (own, nonce) => own.issue({ nonce, aud: 'others' })],
    [
      'signed with the public key as a secret (algorithm confusion)',
      async (own, nonce) =>
        own.issue({ nonce }, { alg: 'HS256' }, Buffer.from(JSON.stringify(await exportJWK(own.publicKey)))),
    ],
    [
      'signed with the client’s secret although the connection has RS256',
      (own, nonce) => own.issue({ nonce }, { alg: 'HS256' }, Buffer.from(own.options.client_secret)),
    ],
    [
      'without a signature',
      async (own, nonce) => {
        const [, payload = ''] = (await own.issue({ nonce })).split('.');
        return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      },
    ],
    ['of another key', async (own, nonce) => own.issue({ nonce }, {}, (await generateKeyPair('RS256')).privateKey)],
  ])('%s does not sign in the user', async (_, forge) => {
    provider.respond((nonce) => forge(provider, nonce));
    expect(await enter(connection)).toMatchObject({ error: 'oauth_failed' });
  });

  test('is not requested from the token endpoint if the response names another issuer (mix-up)', async () => {
    provider.respond((nonce) => provider.issue({ nonce }));
    expect(await enter(connection, () => ({ iss: 'https://evil.example' }))).toMatchObject({ error: 'oauth_failed' });
  });

  test('can be exchanged for a profile, once and only by a confidential client', async () => {
    const swap = async (subject_token: string, more: Record<string, string> = {}) =>
      exchange<Token>('', {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        organization_id: organizationId,
        ...more,
      });
    const token = await provider.issue({});
    provider.describe({ jwks_status: 503 });
    expect(await swap(token)).toMatchObject({ status: 422, body: { code: 'idp_keys_unavailable' } });
    provider.describe({});
    expect((await swap(token, { client_secret: '' })).body.error).toBe('unauthorized_client');
    expect((await swap(token, { subject_token_type: 'x' })).body.error).toBe('invalid_request');
    expect((await swap(token, { organization_id: 'org_unknown' })).status).toBe(404);
    const others = await organization('other.example');
    expect((await swap(token, { organization_id: others })).body.error).toBe('invalid_grant');
    expect((await swap(token)).body.profile).toMatchObject({ email: 'ada@example.com', idp_id: 'ada' });
    expect((await swap(token)).body.error).toBe('invalid_grant');
    for (const wrong of [
      await provider.issue({ aud: 'others' }),
      await provider.issue({ iat: Math.floor(Date.now() / 1_000) - 721 }),
      await provider.issue({ iss: 'https://evil.example' }),
      await provider.issue({ email: 'ceo@victim.example' }),
      await provider.issue({}, {}, (await generateKeyPair('RS256')).privateKey),
      await provider.issue({}, { alg: 'HS256' }, Buffer.from(provider.options.client_secret)),
      'not a token',
    ]) {
      expect((await swap(wrong)).body.error).toBe('invalid_grant');
    }
  });

  test('is sent as the hint of a logout, whose URL works once', async () => {
    let last = '';
    provider.respond(async (nonce) => (last = await provider.issue({ nonce })));
    const { code } = await enter(connection);
    const { body } = await exchange<Token>(code);
    const made = await call<{ logout_url: string }>('POST', '/sso/logout/authorize', { profile_id: body.profile.id });
    const { url } = await service();
    const path = made.body.logout_url.slice(url.length);
    const { status, headers } = await call('GET', path, undefined, { apiKey: null });
    const location = new URL(headers.location ?? '');
    expect([status, location.origin, location.searchParams.get('id_token_hint')]).toEqual([302, provider.issuer, last]);
    expect((await call('GET', path, undefined, { apiKey: null })).status).toBe(404);
  });

  test('has no logout while the connection is inactive, or after its provider no longer has a logout', async () => {
    provider.respond((nonce) => provider.issue({ nonce }));
    const { body } = await exchange<Token>((await enter(connection)).code);
    const prepare = () =>
      call<{ logout_url: string; error?: string }>('POST', '/sso/logout/authorize', { profile_id: body.profile.id });
    const { url } = await service();
    const path = (await prepare()).body.logout_url.slice(url.length);
    const expectRejected = async (error: string) => {
      for (const { status, body } of [await prepare(), await call('GET', path, undefined, { apiKey: null })]) {
        expect([status, body.error]).toEqual([400, error]);
      }
    };
    await call('PATCH', `/x/connections/${connection.id}`, { state: 'inactive' });
    await expectRejected('unauthorized_client');
    await call('PATCH', `/x/connections/${connection.id}`, { state: 'active' });
    provider.describe({ end_session_endpoint: undefined });
    // A change of the algorithm reads the discovery document again.
    const oidc_options = { id_token_signature_algorithm: 'RS256' };
    expect((await call('PATCH', `/connections/${connection.id}`, { oidc_options })).status).toBe(200);
    await expectRejected('connection_invalid');
  });

  test('must prove a new authentication if the application requires one, and its time', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const outcomes: Record<string, unknown> = {};
    for (const [name, path, asked, auth_time] of [
      ['prompt=login, new', '/sso/authorize', { prompt: 'login' }, now + 1],
      ['prompt=login, old', '/sso/authorize', { prompt: 'login' }, now - 600],
      ['prompt=login, no time', '/sso/authorize', { prompt: 'login' }, undefined],
      ['max_age, recent', '/user_management/authorize', { max_age: '300' }, now - 200],
      ['max_age, old', '/user_management/authorize', { max_age: '300' }, now - 600],
      ['max_age, no time', '/user_management/authorize', { max_age: '300' }, undefined],
    ] as const) {
      provider.respond((nonce) => provider.issue({ nonce, ...(auth_time === undefined ? {} : { auth_time }) }));
      const selector = path === '/sso/authorize' ? 'connection' : 'connection_id';
      const requested: Record<string, string | null> = {};
      const more = (query: URLSearchParams) => {
        for (const member of ['prompt', 'max_age']) requested[member] = query.get(member);
        return {};
      };
      const start = startUrl(path, { [selector]: connection.id, ...asked });
      const returned = await enter(connection, more, start);
      outcomes[name] = [requested, returned.error ?? 'signed in'];
    }
    const [login, aged] = [
      { prompt: 'login', max_age: '0' },
      { prompt: 'login', max_age: '300' },
    ];
    expect(outcomes).toEqual({
      'prompt=login, new': [login, 'signed in'],
      'prompt=login, old': [login, 'access_denied'],
      'prompt=login, no time': [login, 'access_denied'],
      'max_age, recent': [aged, 'signed in'],
      'max_age, old': [aged, 'access_denied'],
      'max_age, no time': [aged, 'access_denied'],
    });
  });

  test('is requested with a client assertion for one use within a minute if the connection uses private_key_jwt', async () => {
    const oidc_options = { token_authentication_method: 'private_key_jwt' };
    expect((await call('PATCH', `/connections/${connection.id}`, { oidc_options })).status).toBe(200);
    const { body } = await call<Displayed>('GET', `/x/connections/${connection.id}`);
    const certificate = new X509Certificate(body.oidc_options.jwt_signing_cert ?? '');
    const key = await importSPKI(certificate.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'RS256');
    provider.respond((nonce) => provider.issue({ nonce }));
    const ids = new Set<string | undefined>();
    for (let at = 0; at < 2; at += 1) {
      expect(await enter(connection)).toHaveProperty('code');
      const form = provider.redeemed().at(-1);
      expect([form?.get('client_assertion_type'), form?.get('client_secret')]).toEqual([
        'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        null,
      ]);
      const { payload } = await jwtVerify(form?.get('client_assertion') ?? '', key, {
        issuer: 'us',
        subject: 'us',
        audience: provider.issuer,
        algorithms: ['RS256'],
      });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(60);
      ids.add(payload.jti);
    }
    expect(ids.size).toBe(2);
  });

  test('comes with the tokens of the provider if the connection returns them, and only then', async () => {
    provider.respond((nonce) => provider.issue({ nonce, email_verified: true }));
    const found: unknown[] = [];
    for (const return_oauth_tokens of [false, true]) {
      const settings = { return_oauth_tokens };
      expect((await call('PATCH', `/x/connections/${connection.id}`, { settings })).status).toBe(200);
      const profile = await enter(connection);
      const start = startUrl('/user_management/authorize', { connection_id: connection.id });
      const user = await enter(connection, () => ({}), start);
      const responses = [await exchange(profile.code), await redeem(user.code)];
      found.push(
        responses.map(({ body }) => (body.oauth_tokens as { access_token: string } | undefined)?.access_token),
      );
    }
    expect(found).toEqual([
      [undefined, undefined],
      ['a', 'a'],
    ]);
  });

  test('is requested and redeemed with an imported redirect URI, whose host redirects to the callback', async () => {
    const redirect_uri = 'https://auth.old.example/sso/oidc/callback/Kept-from-before';
    const changed = await call('PATCH', `/connections/${connection.id}`, { oidc_options: { redirect_uri } });
    expect(changed.status).toBe(200);
    const x = `/x/connections/${connection.id}`;
    expect((await call('PATCH', x, { external_key: 'Kept-from-before' })).status).toBe(200);
    provider.respond((nonce) => provider.issue({ nonce }));
    const person = browser();
    const started = await person.request(await startUrl('/sso/authorize', { connection: connection.id }));
    const page = await person.request(started.headers.get('location') ?? '');
    const asked = new URL(page.headers.get('location') ?? '').searchParams;
    expect(asked.get('redirect_uri')).toBe(redirect_uri);
    const response = { state: asked.get('state') ?? '', code: asked.get('nonce') ?? '' };
    const path = `${new URL(redirect_uri).pathname}?${new URLSearchParams(response).toString()}`;
    const done = await person.open(`${(await service()).url}${path}`);
    expect(readReturn(done).code).toBeDefined();
    expect(provider.redeemed().map((form) => form.get('redirect_uri'))).toContain(redirect_uri);
  });

  test('must have the algorithm, method and secret that the connection has after an update', async () => {
    const path = `/connections/${connection.id}`;
    const change = (oidc_options: Record<string, unknown>) => rejected('PATCH', path, { oidc_options });
    expect(await change({ id_token_signature_algorithm: 'ES512' })).toEqual([
      400,
      'id_token_signature_algorithm_not_supported',
    ]);
    expect(await change({ token_authentication_method: 'private_key_jwt', client_secret: 'x' })).toEqual([
      400,
      'client_secret_not_accepted',
    ]);
    expect((await change({ discovery_endpoint: 'ftp://x' }))[0]).toBe(400);
    const internal = { discovery_endpoint: 'http://10.0.0.1/.well-known/openid-configuration', client_secret: 's' };
    expect(await change(internal)).toEqual([400, 'discovery_endpoint_must_use_https']);
    const elsewhere = (await forgingProvider()).options.discovery_endpoint;
    expect(await change({ discovery_endpoint: elsewhere })).toEqual([400, 'client_secret_required']);
    expect((await call('PATCH', path, { oidc_options: { pkce: false } })).status).toBe(200);
  });
});
