import { randomBytes } from 'node:crypto';

import { constantTimeEqual, sha256Hex } from '../keys/hash.ts';
import type { IncomingRequest } from '../operation.ts';
import { settings } from '../settings.ts';

/**
 * Ties something that passes through a browser to that one browser: whoever begins it carries a random cookie, whose hash
 * is stored and asked for when the browser is back. Without it, a person who is sent along by somebody else would finish
 * for that somebody (login CSRF, RFC 9700 section 4.7).
 */
const isSecure = (): boolean => settings().GATEHOUSE_BASE_URL.startsWith('https:');

/** What a browser is tied to. */
export interface Binding {
  /** What kind of thing it is, in the cookie's name. */
  purpose: string;
  /** Its id: each has a cookie of its own, so that two of them in one browser do not disturb each other. */
  id: string;
}

const cookieName = ({ purpose, id }: Binding): string =>
  `${isSecure() ? '__Host-' : ''}gatehouse_${purpose}_${id.slice(0, 16)}`;

/** A new cookie's value. */
export const newBrowserValue = (): string => randomBytes(32).toString('base64url');

/** How long a cookie lives, and which of a third party's requests it goes with. */
export interface CookieOptions {
  /** Zero removes it. */
  maxAgeSeconds: number;
  /** `None` for a third party that sends the browser back by a form, which `Lax` would not go with. Default `Lax`. */
  sameSite?: 'Lax' | 'None';
}

/** The Set-Cookie header of a browser's value: sent along when a third party sends the browser back, to no script. */
export const browserCookie = (
  binding: Binding,
  value: string,
  { maxAgeSeconds, sameSite = 'Lax' }: CookieOptions,
): string =>
  `${cookieName(binding)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${isSecure() ? '; Secure' : ''}`;

/** 32 random bytes in base64url, behind the id of whose it is where the cookie says that. */
const VALUE = /^(?:\w{1,64}\.)?[\w-]{43}$/;

/** The cookies of a request by name, the oldest first as browsers send them (RFC 6265 section 5.4). */
const pairsOf = ({ cookies, headers }: IncomingRequest): string[][] =>
  [...cookies, ...(headers.cookie ?? '').split(';')].map((pair) => pair.trim().split('=', 2));

/**
 * The Set-Cookie headers that remove a browser's oldest cookies of a purpose. Each thing has a cookie of its own, and many of
 * them in a day would make the browser's requests longer than any gateway takes.
 * @param binding The one that is kept in any case. @param kept How many others are.
 */
export function removalOfOldest(request: IncomingRequest, { purpose, id }: Binding, kept: number): string[] {
  const others = pairsOf(request).flatMap(([name = '']) => {
    const other = { purpose, id: name.slice(-16) };
    return name === cookieName(other) && name !== cookieName({ purpose, id }) ? [other] : [];
  });
  return others
    .slice(0, Math.max(0, others.length - kept))
    .map((other) => browserCookie(other, '', { maxAgeSeconds: 0 }));
}

/** The value that a request's browser carries. */
export function browserValue(request: IncomingRequest, binding: Binding): string | undefined {
  const value = pairsOf(request).find(([name]) => name === cookieName(binding))?.[1];
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

/** What is stored of a browser's value. */
export const browserHash = (value: string): string => sha256Hex(value);

/** Whether a request comes from the browser whose value was stored as this hash. */
export function isFromBrowser(request: IncomingRequest, binding: Binding, hash: string): boolean {
  const value = browserValue(request, binding);
  return value !== undefined && constantTimeEqual(browserHash(value), hash);
}

/** Shows that a form comes from the page that the same browser was shown. */
export const formProof = (value: string, token: string): string => sha256Hex(['form', value, token].join('\n'));

/**
 * Whether a request may be a form of the service's own page: browsers say where it comes from, others say nothing. They hide
 * the origin (`null`) for a page's own form too, as where an extension has changed the referrer policy: that form counts only
 * where the browser itself says that it is of the same origin.
 */
export function isOwnPage({ headers }: IncomingRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  if (origin === 'null') return site === 'same-origin';
  return origin === undefined || origin === new URL(settings().GATEHOUSE_BASE_URL).origin;
}
