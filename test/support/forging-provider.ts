import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

/** The provider's response to the next exchange; each member may be made invalid. */
export interface ProviderResponse {
  claims: JWTPayload & Record<string, unknown>;
  /** The signature of the ID token; `own` by default. */
  signature?: 'own' | 'other key' | 'none' | 'public key as secret';
  userinfo?: Record<string, unknown>;
  /** Further members of the token response. */
  more?: Record<string, unknown>;
  /** A response in place of the token response. */
  rejection?: { status: number; body: Record<string, unknown> };
  /** The code challenge of the authorization request. */
  challenge?: string | undefined;
}

/** A request of the token endpoint. */
export interface TokenRequest {
  authorization: string | undefined;
  body: Record<string, string>;
}

/** An OpenID provider on loopback that signs any claims. */
export interface ForgingProvider {
  url: string;
  /** The codes that the provider has issued, with their data. */
  responses: Map<string, ProviderResponse>;
  requests: TokenRequest[];
  /** The claims of the next user's ID token. */
  account: Record<string, unknown>;
  /** Further members of the user's token response. */
  more: Record<string, unknown>;
  /** Responses of its other paths to its own access tokens. */
  resources: Record<string, unknown>;
  /** The authorization requests that the provider has received. */
  asked: Record<string, string>[];
  paths: string[];
  /** The provider's published keys, at any path that ends with `/jwks`. */
  keys: object[];
  /** The paths that return an HTML page, as a proxy would, by their status. */
  pages: Record<string, number>;
  /** Members of the discovery document that differ from the defaults. */
  metadata: Record<string, unknown>;
  close: () => Promise<void>;
}

/** The provider's keys and those of another signer, generated once for each file. */
let keyPairs: Promise<[GenerateKeyPairResult, GenerateKeyPairResult]> | undefined;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const computeChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Starts a provider. Tests use it through `test/areas/social/forging-provider.ts`, which closes it. */
export async function startForgingProvider(): Promise<ForgingProvider> {
  keyPairs ??= Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const [own, other] = await keyPairs;
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const userinfos = new Map<string, Record<string, unknown>>();

  const signed = async ({ claims, signature = 'own' }: ProviderResponse): Promise<string> => {
    if (signature === 'none') return new UnsecuredJWT(claims).encode();
    const token = new SignJWT(claims).setProtectedHeader({
      alg: signature === 'public key as secret' ? 'HS256' : 'RS256',
      kid: 'one',
    });
    if (signature === 'public key as secret') return token.sign(Buffer.from(JSON.stringify(jwk)));
    return token.sign(signature === 'own' ? own.privateKey : other.privateKey);
  };

  /** Signs `account` in without a prompt, and redirects the browser back in the requested response mode. */
  function authorize(query: Record<string, string>): { status: number; headers: Record<string, string>; text: string } {
    provider.asked.push(query);
    const {
      client_id: aud = '',
      nonce,
      state = '',
      redirect_uri = '',
      code_challenge: challenge,
      response_mode,
    } = query;
    const code = randomUUID();
    const iat = Math.floor(Date.now() / 1_000);
    const claims: ProviderResponse['claims'] = {
      iss: provider.url,
      aud,
      nonce,
      iat,
      exp: iat + 300,
      ...provider.account,
    };
    provider.responses.set(code, { claims, challenge, more: provider.more });
    if (response_mode === 'form_post') {
      const inputs = Object.entries({ code, state }).map(([name, value]) => `<input name="${name}" value="${value}">`);
      const text = `<form action="${redirect_uri}">${inputs.join('')}</form>`;
      return { status: 200, headers: { 'content-type': 'text/html' }, text };
    }
    const location = new URL(redirect_uri);
    for (const [name, value] of Object.entries({ code, state })) location.searchParams.set(name, value);
    return { status: 302, headers: { location: location.href }, text: '' };
  }

  async function token(request: IncomingMessage): Promise<{ status: number; body: Record<string, unknown> }> {
    const body = Object.fromEntries(new URLSearchParams(await readBody(request)));
    provider.requests.push({ authorization: request.headers.authorization, body });
    const response = provider.responses.get(body.code ?? '');
    provider.responses.delete(body.code ?? '');
    const { challenge } = response ?? {};
    const isTheirs = challenge === undefined || challenge === computeChallenge(body.code_verifier ?? '');
    if (response === undefined || !isTheirs) return { status: 400, body: { error: 'invalid_grant' } };
    if (response.rejection !== undefined) return response.rejection;
    const access_token = createHash('sha256').update(`${body.code}`).digest('hex');
    userinfos.set(access_token, response.userinfo ?? { sub: response.claims.sub });
    const id_token = await signed(response);
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 300, id_token, ...response.more } };
  }

  async function respondTo(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    provider.paths.push(pathname);
    if (pathname === '/.well-known/openid-configuration') {
      const { url } = provider;
      const endpoints = { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
      const others = { jwks_uri: `${url}/jwks`, userinfo_endpoint: `${url}/userinfo` };
      return { status: 200, body: { issuer: url, ...endpoints, ...others, ...provider.metadata } };
    }
    if (pathname.endsWith('/jwks')) return { status: 200, body: { keys: provider.keys } };
    if (pathname === '/token') return token(request);
    const userinfo = userinfos.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (userinfo === undefined) return { status: 401, body: {} };
    return { status: 200, body: provider.resources[pathname] ?? userinfo };
  }

  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const page = provider.pages[pathname];
    if (page !== undefined) return void response.writeHead(page, { 'content-type': 'text/html' }).end('<p>Sorry</p>');
    if (pathname === '/authorize') {
      const { status, headers, text } = authorize(Object.fromEntries(searchParams));
      return void response.writeHead(status, headers).end(text);
    }
    void respondTo(request).then(({ status, body }) => {
      // RFC 6749 section 5.2 requires this of a server that rejects a client's authentication.
      const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Basic realm="clients"' } : {};
      response.writeHead(status, { 'content-type': 'application/json', ...challenge }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: ForgingProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    responses: new Map(),
    requests: [],
    account: { sub: '1234', email: 'ada@example.com', email_verified: true },
    more: {},
    resources: {},
    asked: [],
    paths: [],
    keys: [jwk],
    pages: {},
    metadata: {},
    close: () => {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
  return provider;
}
