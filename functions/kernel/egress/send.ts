import { isIP } from 'node:net';
import { withDeadline } from './deadline.ts';
import { EgressError } from './errors.ts';
import { type ReceivedResponse, exchange } from './exchange.ts';
import type { ConnectionPool } from './pool.ts';
import type { Resolver } from './resolver.ts';
import { checkScheme, checkUrl, readHost, type UrlRules } from './url.ts';

/** One request to an address that a customer named. */
export interface EgressRequest {
  /** The method in upper case. */
  method: string;
  url: string;
  /** The headers. Host, framing and connection headers are removed, because the guard sets them itself. */
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  /** Time limit in ms for everything: DNS, connecting, TLS, headers, the whole body, and all redirects. */
  timeoutMs: number;
  /** Maximum bytes of the response's body. */
  maxBytes: number;
  /**
   * The behaviour for a larger body: `fail` (the default), or `truncate`, which keeps the first `maxBytes` and disconnects.
   */
  oversize?: 'fail' | 'truncate';
  /** Maximum redirects that are followed; 0, the default, returns the redirect itself. */
  redirects?: number;
  /** `false` opens a connection only for this call, so that it cannot fail because an idle one was closed. */
  reuse?: boolean;
  /** Cancels the call; it then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The response of the last server, after redirects. */
export interface EgressResponse extends ReceivedResponse {
  /** The URL of the response, after redirects. */
  url: string;
  /** Time in ms from the call to the last byte. */
  durationMs: number;
}

/** The parts of the guard that a call needs. */
export interface EgressParts {
  rules: UrlRules;
  resolver: Resolver;
  pool: ConnectionPool;
}

interface Hop {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
}

/** Maximum number of addresses of one name that are tried. */
const maxAddresses = 4;

/**
 * Connection headers (RFC 9110 section 7.6.1) and those of the framing, which the guard writes itself: a caller's value
 * could contradict them.
 */
const ownHeaders =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|content-length|upgrade|expect|accept-encoding)$/;

const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request to a public address and reads the whole response. The address is checked again at every redirect, and the
 * connection goes to a checked address, so a name server that changes its response between check and use has no effect.
 * @throws EgressError with any of its codes; the signal's reason when the caller aborts
 */
export async function send(parts: EgressParts, request: EgressRequest): Promise<EgressResponse> {
  const start = performance.now();
  return withDeadline(request.timeoutMs, request.signal, async (signal) => {
    let hop = firstHop(request);
    for (let left = request.redirects ?? 0; ; left -= 1) {
      const { response, url } = await visit(parts, request, hop, signal);
      const target = redirectTarget(response);
      if (target === null || !request.redirects) {
        return { ...response, url: url.href, durationMs: performance.now() - start };
      }
      if (left <= 0) throw new EgressError('too_many_redirects');
      hop = nextHop(hop, url, response.status, target);
    }
  });
}

/** The redirect target of a response (RFC 9110 section 15.4) as written; null for any other response. */
export function redirectTarget({ status, headers }: Pick<ReceivedResponse, 'status' | 'headers'>): string | null {
  return redirectStatus.has(status) ? headers.get('location') : null;
}

async function visit(parts: EgressParts, request: EgressRequest, hop: Hop, signal: AbortSignal) {
  const url = checkUrl(hop.url, parts.rules);
  const addresses = await checkedAddresses(parts, url, signal);
  const limits = { maxBytes: request.maxBytes, oversize: request.oversize ?? 'fail', reuse: request.reuse ?? true };
  return { url, response: await exchange(parts.pool, { ...hop, ...limits, url, addresses }, signal) };
}

/** Checks all addresses of a name. All must be allowed: a mixed result is an attack or a mistake, and both are blocked. */
async function checkedAddresses({ rules, resolver }: EgressParts, url: URL, signal: AbortSignal) {
  const host = readHost(url);
  const addresses = isIP(host) ? [host] : await resolver.addresses(host, signal);
  if (addresses.length === 0) throw new EgressError('unresolvable');
  for (const address of addresses) {
    const rejectionReason = rules.addresses.rejectionReason(address);
    if (rejectionReason !== null)
      throw new EgressError('address_refused', new Error(`${host} is at ${address}: ${rejectionReason}`));
  }
  checkScheme(url, addresses, rules);
  return addresses.slice(0, maxAddresses);
}

function firstHop({ method, url, headers, body }: EgressRequest): Hop {
  const given = new Headers({ 'user-agent': 'Gatehouse' });
  try {
    for (const [name, value] of Object.entries(headers ?? {})) given.set(name, value);
  } catch (error) {
    throw new EgressError('invalid_header', error);
  }
  const kept = [...given].filter(([name]) => !ownHeaders.test(name));
  return { method, url, headers: Object.fromEntries(kept), body: typeof body === 'string' ? Buffer.from(body) : body };
}

/** Makes the next request of a redirect by the fetch standard's "HTTP-redirect fetch". */
function nextHop(hop: Hop, from: URL, status: number, location: string): Hop {
  if (!URL.canParse(location, from.href)) throw new EgressError('invalid_url');
  const to = new URL(location, from);
  const becomesGet =
    (hop.method === 'POST' && (status === 301 || status === 302)) ||
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD');
  const dropped = new Set<string>();
  if (becomesGet)
    ['content-encoding', 'content-language', 'content-location', 'content-type'].forEach((h) => dropped.add(h));
  if (to.origin !== from.origin) ['authorization', 'cookie'].forEach((h) => dropped.add(h));
  const headers = Object.fromEntries(Object.entries(hop.headers).filter(([name]) => !dropped.has(name)));
  return { url: to.href, headers, method: becomesGet ? 'GET' : hop.method, body: becomesGet ? undefined : hop.body };
}
