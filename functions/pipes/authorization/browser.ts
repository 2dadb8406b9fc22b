import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { IncomingRequest } from '../../kernel/operation.ts';
import { settings } from '../../kernel/settings.ts';

/**
 * Ties an authorization to one browser: who opened the start page carries a random cookie, whose hash the click stores
 * and the callback asks for. Without it, a person sent to the provider by somebody else would connect their account for
 * that somebody (RFC 9700 section 4.7).
 */
const sha256 = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex');

const isSecure = (): boolean => settings().GATEHOUSE_BASE_URL.startsWith('https:');

/** One cookie an authorization, so that two of them in one browser do not disturb each other. */
const cookieName = (id: string): string => `${isSecure() ? '__Host-' : ''}gatehouse_connect_${id.slice(0, 16)}`;

/** A new cookie's value. */
export const newBrowserValue = (): string => randomBytes(32).toString('base64url');

/** The Set-Cookie header of a browser's value: sent along when the provider sends the browser back, to no script. */
export const browserCookie = (id: string, value: string, maxAgeSeconds: number): string =>
  `${cookieName(id)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;

/** The value that a request's browser carries for an authorization. */
export function browserValue({ cookies, headers }: IncomingRequest, id: string): string | undefined {
  const pairs = [...cookies, ...(headers.cookie ?? '').split(';')].map((pair) => pair.trim().split('=', 2));
  const value = pairs.find(([name]) => name === cookieName(id))?.[1];
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** What is stored of a browser's value. */
export const browserHash = (value: string): string => sha256(value);

/** Shows that a form comes from the page that the same browser was shown. */
export const formProof = (value: string, token: string): string => sha256('form', value, token);

/** Compares two hashes without telling by time how far they agree. */
export function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** Whether a request may be a form of the service's own page: browsers say where it comes from, others say nothing. */
export function isOwnPage({ headers }: IncomingRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  return origin === undefined || origin === new URL(settings().GATEHOUSE_BASE_URL).origin;
}
