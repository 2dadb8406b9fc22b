import { beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';

import { browser } from '../../support/browser.ts';
import { call, reset, service } from '../../support/service.ts';
import { application, CALLBACK, decide, isConsent, make, signIn, user } from './person.ts';

const EMAIL = 'ada@example.com';

/**
 * Opens an authorization URL as a user who signs in and gives consent.
 * @returns the address at which the application receives the response
 */
async function walk(address: URL): Promise<URL> {
  const person = browser();
  let page = await person.open(address.href);
  if (new URL(page.url).pathname === '/hosted/sign-in') page = await signIn(person, page, EMAIL);
  if (isConsent(page)) page = await decide(person, page, 'approve');
  return new URL(page.url);
}

const issuer = async (): Promise<URL> => {
  const { url, clientId } = await service();
  return new URL(`${url}/user_management/${clientId}`);
};

beforeEach(async () => {
  await reset({ calm: true });
  await user(EMAIL, (await make('/organizations', { name: 'Acme' })).id);
});

describe('openid-client', () => {
  test.each(['oidc', 'oauth2'] as const)(
    'discovers the server by %s, signs in, refreshes and revokes',
    async (algorithm) => {
      const app = await application({}, { secret: true });
      const options = { execute: [client.allowInsecureRequests], algorithm };
      const found = await client.discovery(await issuer(), app.clientId, app.secret, undefined, options);
      client.enableNonRepudiationChecks(found);
      const verifier = client.randomPKCECodeVerifier();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const address = client.buildAuthorizationUrl(found, {
        redirect_uri: CALLBACK,
        scope: 'openid email offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(found, await walk(address), checks);
      const sub = tokens.claims()?.sub ?? '';
      expect(tokens.claims()).toMatchObject({ email: EMAIL });
      expect((await client.fetchUserInfo(found, tokens.access_token, sub)).email).toBe(EMAIL);
      const refreshed = await client.refreshTokenGrant(found, tokens.refresh_token ?? '');
      expect(refreshed.claims()?.sub).toBe(sub);
      expect((await client.tokenIntrospection(found, refreshed.access_token)).active).toBe(true);
      await client.tokenRevocation(found, refreshed.refresh_token ?? '');
      expect((await client.tokenIntrospection(found, refreshed.access_token)).active).toBe(false);
    },
  );

  test('authenticates by assertions that it signs', async () => {
    const organizationId = (await make('/organizations', { name: 'Acme' })).id;
    const body = { name: 'Sync', application_type: 'm2m', organization_id: organizationId };
    const made = await make<{ id: string; client_id: string }>('/connect/applications', body);
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: '1' }] };
    expect((await call('PUT', `/x/connect/applications/${made.id}/keys`, { jwks })).status).toBe(200);
    const options = { execute: [client.allowInsecureRequests] };
    const proof = client.PrivateKeyJwt({ key: privateKey, kid: '1' });
    const found = await client.discovery(await issuer(), made.client_id, undefined, proof, options);
    const { access_token: token } = await client.clientCredentialsGrant(found);
    expect((await client.tokenIntrospection(found, token)).active).toBe(true);
  });

  test('registers itself, and signs in with the credentials from the registration response', async () => {
    const options = { execute: [client.allowInsecureRequests] };
    const metadata = { redirect_uris: [CALLBACK], client_name: 'Notes' };
    const found = await client.dynamicClientRegistration(await issuer(), metadata, undefined, options);
    const verifier = client.randomPKCECodeVerifier();
    const address = client.buildAuthorizationUrl(found, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const tokens = await client.authorizationCodeGrant(found, await walk(address), { pkceCodeVerifier: verifier });
    expect(tokens.claims()?.iss).toBe((await issuer()).href);
  });
});

describe('oauth4webapi', () => {
  test('signs in as a public client, verifies the response and the access token, refreshes and revokes', async () => {
    const app = await application();
    const insecure = { [oauth.allowInsecureRequests]: true };
    const server = await oauth
      .discoveryRequest(await issuer(), { algorithm: 'oauth2', ...insecure })
      .then(async (response) => oauth.processDiscoveryResponse(await issuer(), response));
    const me = { client_id: app.clientId };
    const verifier = oauth.generateRandomCodeVerifier();
    const address = new URL(server.authorization_endpoint ?? '');
    const members = {
      client_id: app.clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid offline_access',
      state: 's',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(members)) address.searchParams.set(name, value);
    const parameters = oauth.validateAuthResponse(server, me, await walk(address), 's');
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      me,
      oauth.None(),
      parameters,
      CALLBACK,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, me, response, { requireIdToken: true });
    const request = new Request('https://api.example.com', {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(server, request, (await service()).clientId, insecure);
    expect(claims).toMatchObject({ client_id: app.clientId, sub: expect.stringContaining('user_') });
    const refresh = async (token = '') =>
      oauth.processRefreshTokenResponse(
        server,
        me,
        await oauth.refreshTokenGrantRequest(server, me, oauth.None(), token, insecure),
      );
    const refreshed = await refresh(tokens.refresh_token);
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    const token = refreshed.refresh_token ?? '';
    await oauth.processRevocationResponse(await oauth.revocationRequest(server, me, oauth.None(), token, insecure));
    await expect(refresh(token)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });
});
