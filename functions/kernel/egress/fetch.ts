import { EgressError } from './errors.ts';
import { type EgressRequest, type EgressResponse, redirectTarget } from './send.ts';

/** The part of the guard that `fetch` uses. */
export interface Guard {
  send(request: EgressRequest): Promise<EgressResponse>;
  checkUrl(url: string): URL;
}

/** Limits that are not part of the signature of `fetch`. */
export type FetchLimits = Pick<EgressRequest, 'timeoutMs' | 'maxBytes' | 'redirects'>;

/** Statuses whose response may have no body (fetch standard, "null body status"). */
const nullBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` that goes through the guard, for libraries that accept one (oauth4webapi, openid-client). It rejects with
 * EgressError instead of TypeError. `redirect` has the meaning of fetch, and `follow` follows up to `limits.redirects`. A
 * request whose method is not safe gets a separate connection, because a code or refresh token must not be used up by a
 * request on a closed connection.
 */
export function egressFetch(guard: Guard, limits: FetchLimits): typeof globalThis.fetch {
  return async (input, init) => {
    const { href } = guard.checkUrl(input instanceof Request ? input.url : String(input));
    const request = new Request(input, init);
    const content = request.body === null ? {} : { body: new Uint8Array(await request.arrayBuffer()) };
    const received = await guard.send({
      ...content,
      method: request.method,
      url: href,
      headers: Object.fromEntries(request.headers),
      timeoutMs: limits.timeoutMs,
      maxBytes: limits.maxBytes,
      redirects: request.redirect === 'follow' ? (limits.redirects ?? 0) : 0,
      reuse: request.method === 'GET' || request.method === 'HEAD',
      signal: request.signal,
    });
    if (redirectTarget(received) !== null && request.redirect !== 'manual') throw new EgressError('too_many_redirects');
    return response(received);
  };
}

function response({ status, headers, body, url }: EgressResponse): Response {
  const received = new Response(nullBody.has(status) ? null : Buffer.from(body), { status, headers });
  // A constructed Response has an empty URL, and libraries compare or report it.
  return Object.defineProperty(received, 'url', { value: url });
}
