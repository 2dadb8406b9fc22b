import { clock } from '../../../kernel/clock.ts';
import { type Binding, cookieValue, removeCookie, setCookie } from '../../../kernel/http/cookies.ts';
import { markSession, sharedDomain, unmarkSession } from '../../../kernel/http/session-marker.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import type { SessionRecord } from '../session/entity.ts';
import { readRefreshToken } from '../session/refresh-token.ts';

/** The binding of a client's cookie: each client id has its own. */
const bindingOf = (clientId: string): Binding => ({ purpose: 'refresh', id: clientId });

/** The refresh token in a browser's cookie for a client: well-formed, but not verified. */
function refreshTokenInCookie(request: IncomingRequest, clientId: string): string | undefined {
  const value = cookieValue(request, bindingOf(clientId));
  return value !== undefined && readRefreshToken(value) !== undefined ? value : undefined;
}

/** The data that {@link keepRefreshToken} stores in the browser. */
export interface KeptRefreshToken {
  clientId: string;
  /** The origin of the calling page. */
  origin: string;
  refreshToken: string;
  session: Pick<SessionRecord, 'endsAt'>;
}

/**
 * The Set-Cookie headers with which a page's browser keeps a refresh token for the lifetime of the session. There are
 * none for a page of another site, whose browser would not accept a `SameSite=Strict` cookie.
 */
function keepRefreshToken(
  request: IncomingRequest,
  { clientId, origin, refreshToken, session }: KeptRefreshToken,
): string[] {
  const domain = sharedDomain(origin);
  if (domain === undefined) return [];
  const maxAgeSeconds = Math.max(0, Math.ceil((Date.parse(session.endsAt) - clock.now()) / 1_000));
  const cookie = setCookie(bindingOf(clientId), refreshToken, { maxAgeSeconds });
  return [cookie, markSession(request, clientId, domain)];
}

/** The Set-Cookie headers that remove the refresh token from the browser. */
const forgetRefreshToken = (request: IncomingRequest, clientId: string): string[] => [
  removeCookie(bindingOf(clientId)),
  unmarkSession(request, clientId),
];

/**
 * The Set-Cookie headers of a logout. They remove the token only if it belongs to that session, because any site can
 * redirect a browser to a logout that names another session.
 */
export function forgetTokenOfSession(request: IncomingRequest, clientId: string, sessionId: string): string[] {
  const token = refreshTokenInCookie(request, clientId);
  if (token === undefined || readRefreshToken(token)?.sessionId !== sessionId) return [];
  return forgetRefreshToken(request, clientId);
}

/** The refresh token of a browser application in a cookie. */
export const refreshCookie = {
  read: refreshTokenInCookie,
  keep: keepRefreshToken,
  forget: forgetRefreshToken,
} as const;
