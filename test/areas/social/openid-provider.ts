import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll } from '@jest/globals';
import { Provider } from 'oidc-provider';

/** A separate provider on loopback: npm `oidc-provider`, which asks for a login and consent. */
export interface OpenIdProvider {
  url: string;
  /**
   * Starts to respond, once the redirect URIs are known.
   * @param client further metadata of the client (OpenID Connect Dynamic Client Registration 1.0 section 2)
   */
  open: (redirectUris: string[], client?: Record<string, unknown>) => void;
}

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const readClaims = (sub: string) => ({
  sub,
  email: `${sub}@example.com`,
  email_verified: true,
  given_name: sub.charAt(0).toUpperCase() + sub.slice(1),
});

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

/** Suppresses the warning that the package prints at its first request. @returns a function that restores the output */
function muteWarning(word: string): () => Promise<void> {
  const { warn } = console;
  console.warn = (...parts: unknown[]) => (parts.join(' ').includes(word) ? undefined : warn(...parts));
  return async () => void (console.warn = warn);
}

/** Starts a provider; closed with the test file. */
export async function openIdProvider(): Promise<OpenIdProvider> {
  let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  const server = createServer((request, response) => void handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open: OpenIdProvider['open'] = (redirectUris, client = {}) => {
    const hasBackChannel = 'backchannel_logout_uri' in client;
    if (hasBackChannel) closing.push(muteWarning('SSRF'));

    const provider = quietly(
      () =>
        new Provider(url, {
          clients: [
            {
              client_id: 'gatehouse',
              client_secret: 'a-secret-of-thirty-two-characters',
              token_endpoint_auth_method: 'client_secret_post',
              redirect_uris: redirectUris,
              ...client,
            },
          ],
          claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name'] },
          findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => readClaims(sub) }),
          pkce: { required: () => true },
          features: {
            backchannelLogout: { enabled: hasBackChannel },
            rpInitiatedLogout: {
              logoutSource: (context: { body: string }, form: string) => {
                context.body = `${form}<input form="op.logoutForm" type="hidden" name="logout" value="yes" />`;
              },
            },
          },
          ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
          cookies: { keys: ['a test of its own'] },
        }),
    );
    handle = provider.callback();
  };
  return { url, open };
}
