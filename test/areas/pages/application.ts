import { createHash } from 'node:crypto';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, eventually, messages, reset, service } from '../../support/service.ts';

/** The redirect URI of the application in these tests. It is not on loopback, so browsers of the HTTP tests stop there. */
export const REDIRECT_URI = 'https://app.example.com/callback';

/** Registers a redirect URI of the application. */
export async function register(uri = REDIRECT_URI): Promise<void> {
  const { status } = await call('POST', '/user_management/redirect_uris', { uri });
  if (status >= 300) throw new Error(`The redirect URI got ${status}`);
}

/** A fresh environment with the application, and a browser. */
export async function newPerson(): Promise<Browser> {
  await reset();
  await register();
  return browser();
}

/** Reports whether a browser has returned to the application. */
export const isAtApplication = ({ url }: Page): boolean => url.startsWith(REDIRECT_URI);

/** The application's authorize address. @param more Replaces or adds members of the query. */
export async function authorizeUrl(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { url, clientId } = await service();
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    provider: 'hosted',
    state: 'xyz',
    ...more,
  });
  return `${url}/user_management/authorize?${query.toString()}`;
}

/** The response to an exchanged code. */
export interface SignedIn {
  user: { id: string; email: string; email_verified: boolean };
  organization_id?: string;
  access_token: string;
  refresh_token: string;
  authentication_method: string;
}

/** Exchanges the code of a redirect, like a confidential application. */
export async function exchange(location: string): Promise<SignedIn> {
  const { clientId, apiKey } = await service();
  const code = new URL(location).searchParams.get('code') ?? '';
  const body = { client_id: clientId, client_secret: apiKey, grant_type: 'authorization_code', code };
  const response = await call<SignedIn>('POST', '/user_management/authenticate', body, { apiKey: null });
  if (response.status !== 200) throw new Error(`The code got ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** The `sid` of an access token. */
export const readSessionId = ({ access_token: token }: SignedIn): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;

/** The code that was mailed last to an address. */
export async function mailedCode(email: string): Promise<string> {
  const [latest] = await eventually(
    () => messages(email),
    (sent) => typeof sent[0]?.code === 'string',
  );
  return latest?.code ?? '';
}

/** A user with a password and a verified address, created by the API. @returns the id */
export async function makeUser(email: string, more: Record<string, unknown> = {}): Promise<string> {
  const body = { email, password: PASSWORD, email_verified: true, ...more };
  const { status, body: user } = await call<{ id: string }>('POST', '/user_management/users', body);
  if (status !== 201) throw new Error(`The user got ${status}: ${JSON.stringify(user)}`);
  return user.id;
}

export const PASSWORD = 'plain tulips over kelp';

/** The current code of an authenticator app with this Base32 key (RFC 6238). @param now milliseconds since the epoch */
export async function totp(secret: string, now: number): Promise<string> {
  const { generate } = await import('otplib');
  return generate({ secret, epoch: Math.floor(now / 1_000) });
}

/** A PKCE verifier and its challenge. */
export const pkce = (verifier = 'v'.repeat(64)) => ({
  verifier,
  challenge: createHash('sha256').update(verifier).digest('base64url'),
});
