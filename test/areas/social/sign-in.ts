import { expect } from '@jest/globals';

import { type Browser, browser } from '../../support/browser.ts';
import { type ApiResponse, call, service } from '../../support/service.ts';

/** The redirect URI of the application of these tests. */
export const REDIRECT_URI = 'https://app.example.com/callback';

/** The response of a grant, for success and failure. */
export interface Granted {
  user: { id: string; email: string; email_verified: boolean; first_name: string | null; last_name: string | null };
  access_token: string;
  refresh_token: string;
  authentication_method: string;
  oauth_tokens?: Record<string, unknown>;
  code?: string;
  error?: string;
  pending_authentication_token?: string;
  email_completion_token?: string;
  email_verification_id?: string;
}

/** Registers the application's redirect URI. */
export async function registerApplication(): Promise<void> {
  const { status } = await call('POST', '/user_management/redirect_uris', { uri: REDIRECT_URI });
  expect(status).toBe(201);
}

/** Configures a provider whose issuer is on loopback. */
export async function configure(
  issuer: string,
  provider = 'GoogleOAuth',
  more: Record<string, unknown> = {},
): Promise<void> {
  const body = { client_id: 'us', client_secret: 'our-secret', issuer, ...more };
  const response = await call('PUT', `/x/social/providers/${provider}`, body);
  expect([response.status, response.body]).toMatchObject([200, {}]);
}

/** The address at which an application begins a sign-in. */
export async function authorizeUrl(more: Record<string, string> = {}): Promise<string> {
  const { url, clientId } = await service();
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    provider: 'GoogleOAuth',
    state: 'of the application',
    ...more,
  });
  return `${url}/user_management/authorize?${query.toString()}`;
}

/** The parameters at the application's redirect URI; empty if the browser did not get there. */
export interface SignInResult {
  code?: string;
  state?: string;
  error?: string;
  error_description?: string;
}

/** Signs a user in through a provider without prompts. @returns the application's parameters, and the last address */
export async function signIn(
  more: Record<string, string> = {},
  person: Browser = browser(),
): Promise<{ result: SignInResult; url: string; text: string }> {
  const { url, text } = await person.open(await authorizeUrl(more));
  const result = url.startsWith(REDIRECT_URI) ? (Object.fromEntries(new URL(url).searchParams) as SignInResult) : {};
  return { result, url, text };
}

/** A grant of the application's back end. */
export async function grant(members: Record<string, string>): Promise<ApiResponse<Granted>> {
  const { clientId, apiKey } = await service();
  return call<Granted>('POST', '/user_management/authenticate', {
    client_id: clientId,
    client_secret: apiKey,
    ...members,
  });
}

/** Exchanges a code. */
export const redeem = (code = ''): Promise<ApiResponse<Granted>> => grant({ grant_type: 'authorization_code', code });

/** Signs a user in and exchanges the code, which must succeed. */
export async function enter(more: Record<string, string> = {}): Promise<Granted> {
  const { result, url } = await signIn(more);
  expect([url, result]).toMatchObject([expect.stringContaining(REDIRECT_URI), { state: 'of the application' }]);
  const { status, body } = await redeem(result.code);
  expect([status, body]).toMatchObject([200, { user: {} }]);
  return body;
}

/** Creates a user by the API. @returns their id */
export async function makeUser(email: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await call<{ id: string }>('POST', '/user_management/users', { email, ...more });
  expect([status, body]).toMatchObject([201, { email }]);
  return body.id;
}

/** A user's identities. */
export const identities = async (userId: string): Promise<{ idp_id: string; provider: string }[]> =>
  (await call<{ idp_id: string; provider: string }[]>('GET', `/user_management/users/${userId}/identities`)).body;

/** The users who have the given email. */
export const usersWith = async (email: string): Promise<{ id: string; email_verified: boolean }[]> =>
  (
    await call<{ data: { id: string; email_verified: boolean }[] }>(
      'GET',
      `/user_management/users?email=${encodeURIComponent(email)}`,
    )
  ).body.data;
