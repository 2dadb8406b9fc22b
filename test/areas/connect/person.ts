import { createHash, randomBytes } from 'node:crypto';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, service } from '../../support/service.ts';

export const PASSWORD = 'plain tulips over kelp';
export const CALLBACK = 'https://reports.example.org/callback';

/** An application with its credentials. */
export interface App {
  id: string;
  clientId: string;
  /** The secret; undefined for a public client. */
  secret?: string | undefined;
}

/** Calls an operation that must succeed. */
export async function make<T = { id: string }>(path: string, body: Record<string, unknown>): Promise<T> {
  const response = await call<T>('POST', path, body);
  if (response.status >= 300) throw new Error(`${path} got ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** A user with a password, who is a member of an organization if one is given. */
export async function user(email: string, organizationId?: string): Promise<string> {
  const body = { email, password: PASSWORD, email_verified: true, first_name: 'Ada', last_name: 'Byron' };
  const { id } = await make('/user_management/users', body);
  const membership = { user_id: id, organization_id: organizationId };
  if (organizationId !== undefined) await make('/user_management/organization_memberships', membership);
  return id;
}

/** A third-party application by default; the given members override the defaults. */
export async function application(
  members: Record<string, unknown> = {},
  { secret = false }: { secret?: boolean } = {},
): Promise<App> {
  const isThirdParty = members.is_first_party !== true;
  const owner = isThirdParty ? { organization_id: (await make('/organizations', { name: 'Vendor' })).id } : {};
  const { id, client_id: clientId } = await make<{ id: string; client_id: string }>('/connect/applications', {
    name: 'Reports',
    application_type: 'oauth',
    is_first_party: false,
    redirect_uris: [{ uri: CALLBACK }],
    ...owner,
    ...members,
  });
  if (!secret) return { id, clientId };
  const made = await make<{ secret: string }>(`/connect/applications/${id}/client_secrets`, {});
  return { id, clientId, secret: made.secret };
}

/** The URL of an endpoint of the environment's OAuth server. */
export async function endpoint(name: string): Promise<string> {
  const { url, clientId } = await service();
  return `${url}/oauth2/${clientId}/${name}`;
}

export const newVerifier = (): string => randomBytes(32).toString('base64url');
export const computeChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** The parameters of an authorization request; an undefined value omits one. */
export type Query = Readonly<Record<string, string | undefined>>;

/** The URL to which an application redirects a browser for an authorization. */
export async function authorizeUrl(app: App, verifier: string, more: Query = {}): Promise<string> {
  const members: Query = {
    client_id: app.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    state: 'xyz',
    code_challenge: computeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  };
  const given = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${await endpoint('authorize')}?${new URLSearchParams(given).toString()}`;
}

/** Signs in on the page where a browser is. */
export const signIn = async (person: Browser, page: Page, email: string): Promise<Page> =>
  person.submit(await person.submit(page, { email }), { password: PASSWORD });

export const isConsent = ({ text }: Page): boolean => text.includes('value="approve"');
export const decide = (person: Browser, page: Page, decision: 'approve' | 'deny'): Promise<Page> =>
  person.submit(page, { do: decision });

/** The parameters that an application receives at its redirect URI. */
export const received = ({ url }: Page): Record<string, string> => Object.fromEntries(new URL(url).searchParams);

/** Authorizes an application as a user, on every page that is shown. @returns the parameters that the application receives */
export async function authorize(
  app: App,
  {
    email,
    verifier,
    query = {},
    person = browser(),
  }: { email: string; verifier: string; query?: Query; person?: Browser },
): Promise<Record<string, string>> {
  let page = await person.open(await authorizeUrl(app, verifier, query));
  if (new URL(page.url).pathname === '/hosted/sign-in') page = await signIn(person, page, email);
  if (isConsent(page)) page = await decide(person, page, 'approve');
  return received(page);
}

export interface Tokens {
  access_token: string;
  refresh_token?: string;
  id_token?: string;
  expires_in: number;
  scope: string;
  token_type: string;
  error?: string;
  error_description?: string;
}

/** Sends a form to an endpoint, without an API key. */
export async function post<T = Tokens>(name: string, form: Query, headers: Record<string, string> = {}) {
  const { clientId } = await service();
  const given = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return call<T>('POST', `/oauth2/${clientId}/${name}`, undefined, {
    apiKey: null,
    rawBody: new URLSearchParams(given).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** Exchanges a code as an application. */
export const exchange = (app: App, code: string | undefined, verifier: string | undefined, more: Query = {}) =>
  post('token', {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    client_secret: app.secret,
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
    ...more,
  });

export const refresh = (app: App, token: string | undefined, more: Query = {}) =>
  post('token', {
    grant_type: 'refresh_token',
    client_id: app.clientId,
    client_secret: app.secret,
    refresh_token: token,
    ...more,
  });

/** Authorizes an application and exchanges the code. */
export async function tokens(
  app: App,
  email: string,
  options: { query?: Query; person?: Browser } = {},
): Promise<Tokens> {
  const verifier = newVerifier();
  const response = await authorize(app, { email, verifier, ...options });
  const { status, body } = await exchange(app, response.code, verifier, {
    redirect_uri: options.query?.redirect_uri ?? CALLBACK,
  });
  if (status !== 200) throw new Error(`The code got ${status}: ${JSON.stringify({ response, body })}`);
  return body;
}

export const readClaims = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Calls an endpoint with an access token. */
export const bearer = async <T = Record<string, unknown>>(name: string, token: string) =>
  call<T>('GET', `/oauth2/${(await service()).clientId}/${name}`, undefined, {
    apiKey: null,
    headers: { authorization: `Bearer ${token}` },
  });
