import { clock } from '../../kernel/clock.ts';
import { type Binding, cookieValue, removeCookie, setCookie } from '../../kernel/http/cookies.ts';
import { markSession, sharedDomain, unmarkSession } from '../../kernel/http/session-marker.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import type { SessionRecord } from '../session/entity.ts';
import { readRefreshToken } from '../session/refresh-token.ts';

/** Each client id has a cookie of its own. */
const bindingOf = (clientId: string): Binding => ({ purpose: 'refresh', id: clientId });

/** The refresh token that a browser keeps for a client: well-formed, and no more is known of it. */
export function refreshTokenInCookie(request: IncomingRequest, clientId: string): string | undefined {
  const value = cookieValue(request, bindingOf(clientId));
  return value !== undefined && readRefreshToken(value) !== undefined ? value : undefined;
}

/** What {@link keepRefreshToken} puts into the browser. */
export interface KeptRefreshToken {
  clientId: string;
  /** Of the page that calls. */
  origin: string;
  refreshToken: string;
  session: Pick<SessionRecord, 'endsAt'>;
}

/**
 * The Set-Cookie headers by which the browser of a page keeps a refresh token for as long as the session lasts. None for a page
 * of another site, whose browser would not keep a `SameSite=Strict` cookie.
 */
export function keepRefreshToken(
  request: IncomingRequest,
  { clientId, origin, refreshToken, session }: KeptRefreshToken,
): string[] {
  const domain = sharedDomain(origin);
  if (domain === undefined) return [];
  const maxAgeSeconds = Math.max(0, Math.ceil((Date.parse(session.endsAt) - clock.now()) / 1_000));
  const cookie = setCookie(bindingOf(clientId), refreshToken, { maxAgeSeconds });
  return [cookie, markSession(request, clientId, domain)];
}

/** The Set-Cookie headers by which a browser keeps it no longer. */
export const forgetRefreshToken = (request: IncomingRequest, clientId: string): string[] => [
  removeCookie(bindingOf(clientId)),
  unmarkSession(request, clientId),
];

/**
 * The Set-Cookie headers of a logout: nothing is removed unless the browser keeps a token of that very session. Anybody can send
 * a browser to a logout that names another session.
 */
export function forgetTokenOfSession(request: IncomingRequest, clientId: string, sessionId: string): string[] {
  const token = refreshTokenInCookie(request, clientId);
  if (token === undefined || readRefreshToken(token)?.sessionId !== sessionId) return [];
  return forgetRefreshToken(request, clientId);
}
