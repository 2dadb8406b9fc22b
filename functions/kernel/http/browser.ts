import { randomBytes } from 'node:crypto';

import { constantTimeEqual, sha256Hex } from '../keys/hash.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { settings } from '../settings.ts';
import { type Binding, cookieValue } from './cookies.ts';

/**
 * Binds a redirect through a browser to that browser. The browser gets a random cookie, whose hash is stored and compared
 * when it returns. Without it, an attacker could make a victim's browser finish the attacker's own authorization (login
 * CSRF, RFC 9700 section 4.7).
 */

/** Makes the value of a new cookie. */
export const newBrowserValue = (): string => randomBytes(32).toString('base64url');

/** 32 random bytes in base64url, preceded by the owner's id if the cookie names its owner. */
const VALUE = /^(?:\w{1,64}\.)?[\w-]{43}$/;

/** The cookie's value in a request. */
export function browserValue(request: IncomingRequest, binding: Binding): string | undefined {
  const value = cookieValue(request, binding);
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

/** The stored form of a cookie's value. */
export const browserHash = (value: string): string => sha256Hex(value);

/** Reports whether a request comes from the browser whose cookie has this hash. */
export function isFromBrowser(request: IncomingRequest, binding: Binding, hash: string): boolean {
  const value = browserValue(request, binding);
  return value !== undefined && constantTimeEqual(browserHash(value), hash);
}

/** Proves that a form comes from a page that was shown to the same browser. */
export const formProof = (value: string, token: string): string => sha256Hex(['form', value, token].join('\n'));

/**
 * Reports whether a request may come from a form of the service's own page: browsers send the origin of the page, other
 * clients do not. Browsers hide the origin (`null`) even for a page's own form, for example if an extension has changed the
 * referrer policy. That form is accepted only if `Sec-Fetch-Site` is `same-origin`.
 * @param address the public address of the pages; by default that of the API
 */
export function isOwnPage({ headers }: IncomingRequest, address = settings().GATEHOUSE_BASE_URL): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  if (origin === 'null') return site === 'same-origin';
  return origin === undefined || origin === new URL(address).origin;
}
