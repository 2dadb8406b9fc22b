import { expect } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

import { browser } from '../../support/browser.ts';
import { receiver } from '../../support/receiver.ts';
import { call } from '../../support/service.ts';
import { readReturn, startUrl } from './identity-provider.ts';
import { type Connection, organization } from './support.ts';

/** Creates an OpenID connection of a new organization with the domain example.com. */
export async function connect(
  oidc_options: Record<string, unknown>,
): Promise<{ connection: Connection; organizationId: string }> {
  const organizationId = await organization('example.com');
  const { status, body } = await call<Connection>('POST', '/connections', {
    organization_id: organizationId,
    oidc_options,
  });
  expect([status, body]).toMatchObject([201, { state: 'active' }]);
  return { connection: body, organizationId };
}

/** A provider that signs any claims of a test. */
export async function forgingProvider() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = await receiver('');
  const issuer = new URL(server.url).origin;
  const issue = (claims: JWTPayload, header: { alg?: string; kid?: string } = {}, key: unknown = privateKey) =>
    new SignJWT({ iss: issuer, aud: 'us', sub: 'ada', email: 'ada@example.com', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .setIssuedAt(claims.iat)
      .setExpirationTime('5m')
      .sign(key as never);
  const redeemed: URLSearchParams[] = [];
  let metadata: Record<string, unknown> = {};
  let keysStatus = 200;
  let idToken = async (_nonce: string): Promise<string> => '';
  server.respondWith(async ({ path, body }) => {
    const json = (value: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
    if (path.endsWith('/openid-configuration')) {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        end_session_endpoint: `${issuer}/logout`,
        id_token_signing_alg_values_supported: ['RS256', 'HS256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
        ...metadata,
      });
    }
    if (path === '/jwks' && keysStatus !== 200) return { status: keysStatus };
    if (path === '/jwks') return json({ keys: [jwk] });
    const form = new URLSearchParams(body);
    if (path === '/token') redeemed.push(form);
    const nonce = form.get('code') ?? '';
    return path === '/token'
      ? json({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: await idToken(nonce) })
      : { status: 404 };
  });
  const discovery_endpoint = `${issuer}/.well-known/openid-configuration`;
  return {
    issuer,
    issue,
    publicKey,
    /** The forms of the requests to the token endpoint. */
    redeemed: (): readonly URLSearchParams[] => redeemed,
    options: { discovery_endpoint, client_id: 'us', client_secret: 'our-secret-of-thirty-two-characters' },
    /** Sets members of the discovery document, and the status with which the keys are returned. */
    describe: ({ jwks_status = 200, ...members }: { jwks_status?: number } & Record<string, unknown>) => {
      [metadata, keysStatus] = [members, jwks_status];
    },
    respond: (next: (nonce: string) => Promise<string>) => (idToken = next),
  };
}

export type Forging = Awaited<ReturnType<typeof forgingProvider>>;

/** Signs in. The provider's code is the nonce of the request, so that the token endpoint knows it. */
export async function enter(
  connection: Connection,
  more: (query: URLSearchParams) => Record<string, string> = () => ({}),
  start = startUrl('/sso/authorize', { connection: connection.id }),
) {
  const person = browser();
  const started = await person.request(await start);
  const page = await person.request(started.headers.get('location') ?? '');
  const asked = new URL(page.headers.get('location') ?? '').searchParams;
  const response = { state: asked.get('state') ?? '', code: asked.get('nonce') ?? '', ...more(asked) };
  const callback = `${asked.get('redirect_uri') ?? ''}?${new URLSearchParams(response).toString()}`;
  const done = await person.open(callback);
  return done.status === 400 ? ({ error: 'ended' } as Record<string, string>) : readReturn(done);
}
