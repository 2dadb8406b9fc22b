import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';

import { expect } from '@jest/globals';

import { type IssuedResponse, issueResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import { type Browser, browser, type Page } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { call, now, service } from '../../support/service.ts';
import { type Connection, organization, samlConnection } from './support.ts';

/** The redirect URI of the application of these tests. */
export const REDIRECT_URI = 'https://app.example.com/callback';

/** Registers the application's redirect URI. */
export async function registerApplication(): Promise<void> {
  expect((await call('POST', '/user_management/redirect_uris', { uri: REDIRECT_URI })).status).toBe(201);
}

/** An organization with a verified domain and an active SAML connection, and an application. */
export async function setUp(domain = 'acme.example', more: Record<string, unknown> = {}) {
  await registerApplication();
  const organizationId = await organization(domain);
  return { organizationId, connection: await samlConnection(organizationId, more) };
}

/** A request that a browser has sent to the identity provider. */
export interface SentRequest {
  xml: string;
  relayState: string;
  acsUrl: string;
  requestId: string;
  audience: string;
  location: string;
}

/** Reads the AuthnRequest in an address of the identity provider. */
export function requestIn(location: string): SentRequest {
  const query = new URL(location).searchParams;
  const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString();
  const read = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
  return {
    xml,
    relayState: query.get('RelayState') ?? '',
    acsUrl: read(/AssertionConsumerServiceURL="([^"]+)"/),
    requestId: read(/ ID="([^"]+)"/),
    audience: read(/<saml:Issuer>([^<]+)</),
    location,
  };
}

/** The address at which an application starts a sign-in through a connection. */
export async function startUrl(path: '/sso/authorize' | '/user_management/authorize', more: Record<string, string>) {
  const { url, clientId } = await service();
  const query = { client_id: clientId, redirect_uri: REDIRECT_URI, response_type: 'code', state: 'the-state', ...more };
  return `${url}${path}?${new URLSearchParams(query).toString()}`;
}

/** Navigates a browser from the application to the identity provider. */
export async function toProvider(url: string, person: Browser = browser()): Promise<SentRequest> {
  const page = await person.open(url);
  expect(page.url).toContain('https://idp.acme.example/sso');
  return requestIn(page.url);
}

/** A response of the identity provider about a user; unsolicited if the request has no id. */
export async function respondTo(
  request: Pick<SentRequest, 'acsUrl' | 'audience'> & { requestId?: string },
  email = 'ada@acme.example',
  more: Partial<IssuedResponse> = {},
): Promise<string> {
  const xml = issueResponse({
    privateKey: testPair().key,
    issuer: 'https://idp.acme.example/metadata',
    acsUrl: request.acsUrl,
    audience: request.audience,
    ...(request.requestId === undefined ? {} : { requestId: request.requestId }),
    nameId: email,
    attributes: { id: `id of ${email}`, email, firstName: 'Ada', lastName: 'Lovelace', groups: ['staff', 'admins'] },
    now: await now(),
    responseId: `_${randomBytes(16).toString('hex')}`,
    assertionId: `_${randomBytes(16).toString('hex')}`,
    ...more,
  });
  return Buffer.from(xml).toString('base64');
}

/** Posts a response to the service, as the page of an identity provider does: without Lax cookies. */
export async function post(
  acsUrl: string,
  SAMLResponse: string,
  RelayState: string,
  person: Browser = browser(),
): Promise<Page> {
  return person.request(acsUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
  });
}

/** The page of the browser of a sign-in after the provider has responded. */
export async function returnTo(person: Browser, response: Page): Promise<Page> {
  expect(response.status).toBe(303);
  return person.open(response.headers.get('location') ?? '');
}

/** The parameters at the application's redirect URI. */
export function readReturn(page: Page): Record<string, string> {
  expect(page.url).toContain(REDIRECT_URI);
  return Object.fromEntries(new URL(page.url).searchParams);
}

/**
 * Signs a user in through a connection.
 * @returns the application's parameters
 */
export async function signIn(
  url: string,
  email?: string,
  { person = browser(), ...more }: Partial<IssuedResponse> & { person?: Browser } = {},
): Promise<Record<string, string>> {
  const request = await toProvider(url, person);
  const response = await post(request.acsUrl, await respondTo(request, email, more), request.relayState);
  return readReturn(await returnTo(person, response));
}

/** Exchanges a code of /sso/authorize. */
export async function exchange<T = Record<string, unknown>>(code = '', more: Record<string, string> = {}) {
  const { clientId, apiKey } = await service();
  const members = { client_id: clientId, client_secret: apiKey, grant_type: 'authorization_code', code, ...more };
  return call<T>('POST', '/sso/token', undefined, {
    apiKey: null,
    rawBody: new URLSearchParams(members).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

/** Exchanges a code of /user_management/authorize. */
export async function redeem<T = Record<string, unknown>>(code = '') {
  const { clientId, apiKey } = await service();
  const body = { client_id: clientId, client_secret: apiKey, grant_type: 'authorization_code', code };
  return call<T>('POST', '/user_management/authenticate', body);
}

export const at = (connection: Connection) => ({ connection: connection.id });
