import type { Caller } from '../../../kernel/authentication/caller.ts';
import { Failure } from '../../../kernel/errors.ts';
import { mediaType } from '../../../kernel/http/request.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { refreshCookie, type SessionRecord } from '../../../tenancy/sessions/public.ts';
import type { SignInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { invalidGrant } from './errors.ts';
import type { Authenticate, AuthenticateResponse } from './schema.ts';

/** A page of a registered origin, whose browser may keep the refresh token in a cookie. */
export interface BrowserPage {
  origin: string;
  clientId: string;
  request: IncomingRequest;
  /** True if the response's body has no refresh token, so that scripts cannot read it. */
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
 * Finds the calling page, if cookies are read and set for it. A browser sends cookies with any request of any page, so the
 * request must prove that it comes from a page of the client. The proof is an `Origin` that the called environment
 * registered, which no page can change, and a JSON body, for which browsers send a preflight (a form or a body without type
 * needs none).
 * @returns undefined for back ends, native apps and pages of other origins, which send and get tokens only in bodies
 */
export async function findBrowserPage({
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

/** The refresh token that the page's browser has in a cookie. */
export const tokenKeptBy = ({ request, clientId }: BrowserPage): string | undefined =>
  refreshCookie.read(request, clientId);

/** The response to a page for a new or refreshed session, which stores the refresh token in its browser. */
export function replyToPage(
  { request, origin, clientId, isCookieOnly }: BrowserPage,
  session: SessionRecord,
  response: AuthenticateResponse,
): { body: AuthenticateResponse; cookies: string[] } {
  const { refresh_token: refreshToken = '', ...rest } = response;
  const cookies = refreshCookie.keep(request, { clientId, origin, refreshToken, session });
  return { body: isCookieOnly ? rest : response, cookies };
}

/** The error response of a grant to a page, which removes an invalid token from its browser. */
export function failureToPage({ request, clientId }: BrowserPage, body: Authenticate, error: unknown): unknown {
  const isKept = body.grant_type === 'refresh_token' && body.refresh_token === undefined;
  if (!isKept || !(error instanceof Failure) || error.declared.code !== invalidGrant.code) return error;
  return new Failure(error.declared, {
    ...error.details,
    cookies: refreshCookie.forget(request, clientId),
  });
}
