import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll } from '@jest/globals';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';

/** The credentials of a client at the third party. */
export const CLIENT = { id: 'gatehouse-at-third-party', secret: 'third-party-secret-0123456789' };

/** A request to the token endpoint. */
export interface TokenRequest {
  grantType: string;
  authorization: string | undefined;
  contentType: string | undefined;
  body: Record<string, unknown>;
}

/** A separate provider on loopback: npm `oidc-provider`, with rotating refresh tokens. */
export interface ThirdParty {
  url: string;
  authorizationUrl: string;
  tokenUrl: string;
  requests: TokenRequest[];
  /** Calls of the token endpoint, including those without a response. */
  calls: () => number;
  /** The requests of one grant type. */
  of: (grantType: string) => TokenRequest[];
  /** Starts to respond, once the redirect URI of the integration is known. */
  open: (
    redirectUris: string[],
    options?: { authenticateVia?: 'client_secret_post' | 'client_secret_basic' | 'none' },
  ) => void;
  /** Responds to every token request with this status until it is undefined again; with `hang` it never responds. */
  failWith: (status: number | 'hang' | undefined) => void;
  /** Delays responses of the token endpoint until the returned function is called. */
  pauseResponses: () => () => void;
  /** Delays responses of the token endpoint. */
  delayBy: (milliseconds: number) => void;
  /** Revokes all grants (RFC 7009). */
  revoke: () => Promise<void>;
  close: () => Promise<void>;
}

const opened = new Set<ThirdParty>();
afterAll(() => Promise.all([...opened].map((party) => party.close())));

/** Does work without the warnings of the package about settings for production. */
function quietly<T>(work: () => T): T {
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  try {
    return work();
  } finally {
    Object.assign(console, { info, warn });
  }
}

/** Starts a third party whose tokens are valid for `lifetime` seconds; it is closed with the test file. */
export async function thirdParty({ lifetime = 3_600 }: { lifetime?: number } = {}): Promise<ThirdParty> {
  let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  let failure: number | 'hang' | undefined;
  let delay = 0;
  let held: Promise<void> | undefined;
  let calls = 0;
  let lastRefreshToken: string | undefined;
  const requests: TokenRequest[] = [];
  const wait = async (): Promise<void> => {
    await held;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  };
  const server: Server = createServer((request, response) => {
    const isToken = request.method === 'POST' && request.url === '/token';
    if (isToken) calls += 1;
    if (isToken && failure === 'hang') return;
    if (!isToken || typeof failure !== 'number') return void handle?.(request, response);
    const status = failure;
    void wait().then(() => response.writeHead(status).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const open: ThirdParty['open'] = (redirectUris, { authenticateVia = 'client_secret_post' } = {}) => {
    const provider = quietly(
      () =>
        new Provider(url, {
          clients: [
            {
              client_id: CLIENT.id,
              ...(authenticateVia === 'none' ? {} : { client_secret: CLIENT.secret }),
              token_endpoint_auth_method: authenticateVia,
              redirect_uris: redirectUris,
              grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
            },
          ],
          scopes: ['openid', 'offline_access', 'read', 'write'],
          features: { revocation: { enabled: true, allowedPolicy: () => true }, clientCredentials: { enabled: true } },
          findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
          issueRefreshToken: () => true,
          rotateRefreshToken: true,
          pkce: { required: () => true },
          ttl: {
            AccessToken: lifetime,
            ClientCredentials: lifetime,
            RefreshToken: 86_400,
            Grant: 86_400,
            IdToken: 600,
            Interaction: 600,
            Session: 600,
          },
          cookies: { keys: ['a test of its own'] },
        }),
    );
    provider.use(async (context: KoaContextWithOIDC, next: () => Promise<void>) => {
      await next();
      if (context.path !== '/token') return;
      const body = context.oidc?.params ?? {};
      requests.push({
        grantType: String(body.grant_type),
        authorization: context.get('authorization') || undefined,
        contentType: context.get('content-type') || undefined,
        body,
      });
      lastRefreshToken = (context.body as { refresh_token?: string } | undefined)?.refresh_token ?? lastRefreshToken;
      await wait();
    });
    handle = provider.callback();
  };

  const party: ThirdParty = {
    url,
    authorizationUrl: `${url}/auth`,
    tokenUrl: `${url}/token`,
    requests,
    calls: () => calls,
    of: (grantType) => requests.filter((request) => request.grantType === grantType),
    open,
    failWith: (status) => void (failure = status),
    pauseResponses: () => {
      let release: () => void = () => undefined;
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
    delayBy: (milliseconds) => void (delay = milliseconds),
    revoke: async () => {
      const body = new URLSearchParams({
        token: lastRefreshToken ?? '',
        token_type_hint: 'refresh_token',
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
      });
      const { status } = await fetch(`${url}/token/revocation`, { method: 'POST', body });
      if (status !== 200) throw new Error(`The revocation responded ${status}`);
    },
    close: () => {
      opened.delete(party);
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
  opened.add(party);
  return party;
}
