import type { Caller } from '../../kernel/authentication/caller.ts';
import { Failure } from '../../kernel/errors.ts';
import { mediaType } from '../../kernel/http/request.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import {
  forgetRefreshToken,
  keepRefreshToken,
  refreshTokenInCookie,
  type SessionRecord,
} from '../../sessions/public.ts';
import type { SignInSettings } from '../../email-proofs/public.ts';
import { invalidGrant } from './errors.ts';
import type { Authenticate, AuthenticateResponse } from './schema.ts';

/** A page of a registered origin whose browser may keep the refresh token in a cookie. */
export interface BrowserPage {
  origin: string;
  clientId: string;
  request: IncomingRequest;
  /** Whether the response's body has no refresh token, which then no script ever sees. */
  isCookieOnly: boolean;
}

interface Asked {
  caller: Caller;
  clientId: string;
  settings: Pick<SignInSettings, 'browser_refresh'>;
  request: IncomingRequest;
  isFromRegisteredOrigin: () => Promise<boolean>;
}

/**
 * The page that calls, where cookies are read and set for it. A browser sends them with whatever request any page makes it send,
 * so the request must show that it comes from a page of the client: by an `Origin` that the called environment registered, which
 * no page can change, and by a JSON body, for which browsers ask first (a form needs no preflight, nor does a body of no type).
 * @returns undefined for back ends, native apps and pages of other origins, which get and send tokens in bodies alone
 */
export async function browserPageOf({
  caller,
  clientId,
  settings: { browser_refresh: mode },
  request,
  isFromRegisteredOrigin,
}: Asked): Promise<BrowserPage | undefined> {
  const { origin } = request.headers;
  if (mode === 'body' || caller.client !== 'public' || origin === undefined) return undefined;
  if (mediaType(request.headers) !== 'application/json' || !(await isFromRegisteredOrigin())) return undefined;
  return { origin, clientId, request, isCookieOnly: mode === 'cookie' };
}

/** The refresh token that the page's browser keeps. */
export const tokenKeptBy = ({ request, clientId }: BrowserPage): string | undefined =>
  refreshTokenInCookie(request, clientId);

/** A page's response to a session that was opened or refreshed: its browser keeps the refresh token. */
export function replyToPage(
  { request, origin, clientId, isCookieOnly }: BrowserPage,
  session: SessionRecord,
  answered: AuthenticateResponse,
): { body: AuthenticateResponse; cookies: string[] } {
  const { refresh_token: refreshToken = '', ...rest } = answered;
  const cookies = keepRefreshToken(request, { clientId, origin, refreshToken, session });
  return { body: isCookieOnly ? rest : answered, cookies };
}

/** What a failure of a grant is to a page: a kept token that opens nothing any more is removed from its browser. */
export function failureToPage({ request, clientId }: BrowserPage, body: Authenticate, error: unknown): unknown {
  const isKept = body.grant_type === 'refresh_token' && body.refresh_token === undefined;
  if (!isKept || !(error instanceof Failure) || error.declared.code !== invalidGrant.code) return error;
  return new Failure(error.declared, { ...error.details, cookies: forgetRefreshToken(request, clientId) });
}
