import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { EgressError } from './errors.ts';
import type { ConnectionPool } from './pool.ts';
import { readHost } from './url.ts';

/** One request to one checked address; the caller handles redirects, checks and the deadline. */
export interface Exchange {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  /** The only addresses to which connections are allowed, whatever the name resolves to now. */
  addresses: readonly string[];
  maxBytes: number;
  /** The behaviour for a body over `maxBytes`: fail, or keep the first `maxBytes` and disconnect. */
  oversize: 'fail' | 'truncate';
  /** True if an idle connection may be used. */
  reuse: boolean;
}

export interface ReceivedResponse {
  status: number;
  headers: Headers;
  body: Uint8Array;
  /** True if the body was truncated at `maxBytes`. */
  truncated: boolean;
}

/** Maximum bytes of all response headers together. */
const maxHeaderBytes = 16_384;
/** Time in ms after which the next address is tried in parallel (RFC 8305). */
const attemptMs = 1_000;
/** Node's name for a response head over `maxHeaderSize`. */
const headerOverflow = 'HPE_HEADER_OVERFLOW';

/** Error codes of OpenSSL and Node for a certificate or a handshake that cannot be trusted. */
const tlsFailure =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO$)/;

/**
 * Sends one request over a connection pinned to the given addresses; Host and SNI stay the URL's name.
 * @throws EgressError `tls_failed`, `connection_failed`, `response_too_large`; the signal's reason when it aborts
 */
export async function exchange(pool: ConnectionPool, asked: Exchange, signal: AbortSignal): Promise<ReceivedResponse> {
  const safe = asked.method === 'GET' || asked.method === 'HEAD';
  try {
    return await attempt(pool, asked, signal);
  } catch (error) {
    // An idle connection can close while it is being used. Then only a safe method may be sent again (RFC 9110 section
    // 9.2.2).
    if (!(error instanceof StaleConnection)) throw error;
    if (!safe) throw new EgressError('connection_failed', error.cause);
    return await attempt(pool, { ...asked, reuse: false }, signal);
  }
}

class StaleConnection extends Error {}

async function attempt(pool: ConnectionPool, asked: Exchange, signal: AbortSignal): Promise<ReceivedResponse> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
  const request = (asked.url.protocol === 'https:' ? https : http).request(requestOptions(pool, asked));
  const abort = () => request.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  let hasResponseStarted = false;
  request.on('error', (error) => {
    const stale = request.reusedSocket && !hasResponseStarted;
    reject(stale ? new StaleConnection('stale', { cause: error }) : named(error));
  });
  request.on('response', (response) => {
    hasResponseStarted = true;
    const { socket } = response;
    const noted = (received: ReceivedResponse) => {
      pool.used(socket);
      return received;
    };
    receive(response, asked).then(noted).then(resolve, reject);
  });
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    reject(new EgressError('connection_failed', new Error('the server switched the protocol')));
  });
  request.end(asked.body);
  try {
    return await promise;
  } catch (error) {
    request.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function requestOptions(pool: ConnectionPool, asked: Exchange): RequestOptions {
  const { url, method } = asked;
  const framing = asked.body === undefined ? {} : { 'content-length': String(asked.body.byteLength) };
  return {
    agent: pool.agent(url.protocol, asked.reuse),
    method,
    host: readHost(url),
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: url.pathname + url.search,
    // The host is written as in the URL, with the port. Compression is not requested, so that the size limit applies to the
    // transferred bytes.
    headers: { ...asked.headers, ...framing, host: url.host, 'accept-encoding': 'identity' },
    lookup: pinnedLookup(asked.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
  } as RequestOptions;
}

/** Resolves every name to the addresses that were checked, so that a second resolution cannot differ. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const pinned = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, done) => {
    const [first] = pinned;
    if (options.all) done(null, pinned);
    else if (first) done(null, first.address, first.family);
    else done(new Error('no address'), '', 0);
  };
}

async function receive(response: IncomingMessage, asked: Exchange): Promise<ReceivedResponse> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) throw new EgressError('connection_failed', new Error(`status ${status}`));
  const announced = asked.method === 'HEAD' ? 0 : Number(response.headers['content-length'] ?? 0);
  if (announced > asked.maxBytes && asked.oversize === 'fail') throw new EgressError('response_too_large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > asked.maxBytes) break;
    }
  } catch (error) {
    throw named(error);
  }
  const truncated = size > asked.maxBytes;
  if (truncated && asked.oversize === 'fail') throw new EgressError('response_too_large');
  const body = Buffer.concat(chunks).subarray(0, asked.maxBytes);
  return { status, headers: readHeaders(response), body, truncated };
}

function readHeaders(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

function named(error: unknown): Error {
  if (error instanceof EgressError) return error;
  const code = String((error as NodeJS.ErrnoException).code);
  if (code === headerOverflow) return new EgressError('response_too_large', error);
  return new EgressError(tlsFailure.test(code) ? 'tls_failed' : 'connection_failed', error);
}
