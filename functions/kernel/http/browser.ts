import { randomBytes } from 'node:crypto';

import { constantTimeEqual, sha256Hex } from '../keys/hash.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { settings } from '../settings.ts';
import { type Binding, cookieValue } from './cookies.ts';

/**
 * Ties something that passes through a browser to that one browser: it carries a random cookie, whose hash is stored and
 * compared when the browser is back. Without it, a person who is sent along by somebody else would finish for that
 * somebody (login CSRF, RFC 9700 section 4.7).
 */

/** A new cookie's value. */
export const newBrowserValue = (): string => randomBytes(32).toString('base64url');

/** 32 random bytes in base64url, behind the id of whose it is where the cookie says that. */
const VALUE = /^(?:\w{1,64}\.)?[\w-]{43}$/;

/** The value that a request's browser carries. */
export function browserValue(request: IncomingRequest, binding: Binding): string | undefined {
  const value = cookieValue(request, binding);
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
