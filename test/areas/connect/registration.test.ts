import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { advance, call, idle, reset, service } from '../../support/service.ts';
import {
  application,
  authorize,
  authorizeUrl,
  CALLBACK,
  decide,
  exchange,
  isConsent,
  newVerifier,
  post,
  received,
  refresh,
  signIn,
  tokens,
  user,
} from './person.ts';
import { countApplicationRows, registerMany } from './registrations.ts';

const EMAIL = 'ada@example.com';

interface Registered {
  client_id: string;
  client_secret?: string;
  registration_access_token: string;
  registration_client_uri: string;
  scope: string;
  error?: string;
}

const register = async (metadata: unknown, headers: Record<string, string> = {}) =>
  call<Registered>('POST', `/oauth2/${(await service()).clientId}/register`, metadata, { apiKey: null, headers });

/** Registers a client. @returns its credentials */
async function client(metadata: Record<string, unknown> = {}) {
  const given = { redirect_uris: [CALLBACK], client_name: 'Notes', token_endpoint_auth_method: 'none', ...metadata };
  const { status, body } = await register(given);
  if (status !== 201) throw new Error(`The registration got ${status}: ${JSON.stringify(body)}`);
  return { ...body, id: body.client_id, clientId: body.client_id, secret: body.client_secret };
}

const withToken = (token: string) => ({ apiKey: null, headers: { authorization: `Bearer ${token}` } });

beforeEach(() => reset({ calm: true }));

describe('an application that registers itself', () => {
  test('is shown as unverified, needs consent each time, and gets no code without a page', async () => {
    await user(EMAIL);
    const app = await client();
    const person = browser();
    for (const page of [await signIn(person, await person.open(await authorizeUrl(app, newVerifier())), EMAIL)]) {
      expect(isConsent(page)).toBe(true);
      expect(page.text).toContain('(unverified)');
      expect(received(await decide(person, page, 'approve')).code).toEqual(expect.any(String));
    }
    expect(isConsent(await person.open(await authorizeUrl(app, newVerifier())))).toBe(true);
    const silent = await person.open(await authorizeUrl(app, newVerifier(), { prompt: 'none' }));
    expect(received(silent).error).toBe('consent_required');
  });

  test('must authenticate with its client secret if it registered a method that uses one, and must always use PKCE', async () => {
    await user(EMAIL);
    const app = await client({ token_endpoint_auth_method: 'client_secret_post' });
    const verifier = newVerifier();
    const { code } = await authorize(app, { email: EMAIL, verifier });
    expect((await exchange({ ...app, secret: undefined }, code, verifier)).status).toBe(401);
    expect((await exchange(app, code, verifier)).status).toBe(200);
    const plain = { code_challenge: undefined, code_challenge_method: undefined };
    const page = await browser().open(await authorizeUrl(app, verifier, plain));
    expect(received(page).error).toBe('invalid_request');
  });

  test('is shown a name without characters that are not visible, by which it could look like another application', async () => {
    await user(EMAIL);
    const family = '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}';
    for (const [name, displayed] of [
      ['Go\u200bog\u2060le\u00ad \u202eDrive\u2066\u200f\ufeff', 'Google Drive'],
      ['Goo\u200dgle\u0000\u2028\u3164\u{e0067}\u2800', 'Google'],
      [
        `Photos ${family} \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645`,
        `Photos ${family} \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645`,
      ],
      ['\u200b\u2063\u3164', new URL(CALLBACK).host],
    ] as const) {
      const { status, body } = await register({ redirect_uris: [CALLBACK], client_name: name });
      expect([status, (body as { client_name?: string }).client_name]).toEqual([201, displayed]);
      const person = browser();
      const app = { id: body.client_id, clientId: body.client_id, secret: body.client_secret };
      const page = await signIn(person, await person.open(await authorizeUrl(app, newVerifier())), EMAIL);
      expect(isConsent(page)).toBe(true);
      expect(page.text).toContain(displayed);
    }
    // A name that the API stored is shown by the same rule.
    const { clientId, id } = await application({ name: 'Go\u200bogle\u202e' });
    const person = browser();
    const page = await signIn(person, await person.open(await authorizeUrl({ id, clientId }, newVerifier())), EMAIL);
    expect(page.text).toContain('Google');
    expect(page.text).not.toMatch(/[\u200b\u202e]/);
  });

  test('can introspect its own tokens, and learns nothing about those of others', async () => {
    await user(EMAIL);
    const own = await client({ token_endpoint_auth_method: 'client_secret_post' });
    const other = await application({}, { secret: true });
    const introspect = async (token: string, as: { clientId: string; secret?: string | undefined }) =>
      (
        await post<Record<string, unknown>>('introspection', {
          token,
          client_id: as.clientId,
          client_secret: as.secret,
        })
      ).body;
    const { access_token: token } = await tokens(own, EMAIL);
    const { access_token: foreign } = await tokens(other, EMAIL);
    expect(await introspect(token, own)).toMatchObject({ active: true, client_id: own.clientId });
    expect(await introspect(foreign, own)).toEqual({ active: false });
    // An API of the environment accepts the tokens of all applications.
    expect(await introspect(token, other)).toMatchObject({ active: true });
    expect(await introspect(foreign, other)).toMatchObject({ active: true });
  });

  test('can read and delete its registration only with its own registration token', async () => {
    const [app, other] = [await client(), await client()];
    const path = new URL(app.registration_client_uri).pathname;
    expect(
      (await call<Registered>('GET', path, undefined, withToken(app.registration_access_token))).body,
    ).toMatchObject({
      client_id: app.clientId,
      client_name: 'Notes',
      redirect_uris: [CALLBACK],
    });
    for (const method of ['GET', 'DELETE']) {
      expect((await call(method, path, undefined, withToken(other.registration_access_token))).status).toBe(401);
      expect((await call(method, path, undefined, { apiKey: null })).status).toBe(401);
    }
    expect((await call('DELETE', path, undefined, withToken(app.registration_access_token))).status).toBe(204);
    expect((await call('GET', path, undefined, withToken(app.registration_access_token))).status).toBe(401);
  });

  test('is removed after a day without an authorization, and 90 days after its last use', async () => {
    await user(EMAIL);
    const [unused, used] = [await client(), await client()];
    const held = await tokens(used, EMAIL);
    await advance(86_401);
    expect((await browser().open(await authorizeUrl(unused, newVerifier()))).status).toBe(400);
    await idle();
    const listed = await call<{ data: { client_id: string }[] }>(
      'GET',
      '/connect/applications?registration_types=dynamic',
    );
    expect(listed.body.data.map(({ client_id: id }) => id)).toEqual([used.clientId]);
    await advance(20 * 86_400);
    const next = await refresh(used, held.refresh_token);
    expect(next.status).toBe(200);
    await call('PUT', '/x/connect/settings', { registration: 'any', refresh_token_idle_seconds: 31_536_000 });
    const again = await refresh(used, next.body.refresh_token);
    await advance(91 * 86_400);
    expect((await refresh(used, again.body.refresh_token)).status).toBe(401);
  });

  test('leaves no row of fifty registrations after a day without an authorization', async () => {
    await registerMany(50);
    // Each has a row, and one by which the endpoints at the root find it.
    expect(await countApplicationRows()).toBe(100);
    await advance(86_401);
    await idle();
    expect(await countApplicationRows()).toBe(0);
  });

  test('is rejected with an error code of RFC 7591 if its metadata is invalid or the environment does not allow it', async () => {
    const uri = (value: string) => ({ redirect_uris: [value] });
    const wrong = [
      [{}, 'invalid_redirect_uri'],
      [uri('http://example.org/cb'), 'invalid_redirect_uri'],
      [uri('https://*.example.org/cb'), 'invalid_redirect_uri'],
      [uri('https://example.org/cb#a'), 'invalid_redirect_uri'],
      [uri('javascript:alert(1)'), 'invalid_redirect_uri'],
      [{ ...uri(CALLBACK), token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
      [{ ...uri(CALLBACK), grant_types: ['implicit'] }, 'invalid_client_metadata'],
      [{ ...uri(CALLBACK), response_types: ['token'] }, 'invalid_client_metadata'],
      [{ redirect_uris: 'https://example.org' }, 'invalid_client_metadata'],
      [{ ...uri(CALLBACK), client_name: 'x'.repeat(65_536) }, 'invalid_client_metadata'],
    ] as const;
    for (const [metadata, error] of wrong) {
      expect([JSON.stringify(metadata).slice(0, 80), (await register(metadata)).body.error]).toEqual([
        JSON.stringify(metadata).slice(0, 80),
        error,
      ]);
    }
    await call('PUT', '/x/connect/settings', { registration: 'loopback' });
    expect((await register(uri(CALLBACK))).body.error).toBe('invalid_redirect_uri');
    expect((await register(uri('http://127.0.0.1/cb'))).status).toBe(201);
    await call('PUT', '/x/connect/settings', { registration: 'off' });
    expect(await register(uri(CALLBACK))).toMatchObject({ status: 403, body: { error: 'registration_not_supported' } });
    const { clientId } = await service();
    const metadata = await call('GET', `/.well-known/oauth-authorization-server/user_management/${clientId}`);
    expect(metadata.body).not.toHaveProperty('registration_endpoint');
  });

  test('may request only scopes of OpenID Connect and the permissions that the settings allow', async () => {
    for (const slug of ['posts:read', 'posts:write'])
      await call('POST', '/authorization/permissions', { slug, name: slug });
    await call('PUT', '/x/connect/settings', { registration: 'any', registration_scopes: ['posts:read'] });
    expect((await client()).scope).toBe('openid profile email offline_access posts:read');
    expect((await client({ scope: 'openid posts:read posts:write' })).scope).toBe('openid posts:read');
  });
});
