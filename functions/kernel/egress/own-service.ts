import { isLoopbackName } from '../own-origin.ts';
import { perSettings } from '../settings.ts';
import { createEgress, dnsResolver, type Egress, type EgressResponse } from './egress.ts';
import { EgressError } from './errors.ts';
import { settledPolicy } from './policy.ts';

/** One call of the service's own API. */
export interface OwnCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path and query, with encoded segments; always below the base URL. */
  path: string;
  /** The bearer token; absent for an operation without one. */
  token?: string;
  /** JSON. */
  body?: unknown;
  /** Further headers of the request, such as `gatehouse-reason`. */
  headers?: Readonly<Record<string, string>>;
  /** The time limit in milliseconds; 20,000 if absent. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 4_194_304;
/** A page of the console makes up to eight calls at once: with fewer idle connections each page would open the others again. */
const CONNECTIONS = 8;

/**
 * The networks that a local service may call: its base URL is the machine itself, which GATEHOUSE_EGRESS_ALLOW may not
 * include.
 */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

const own: () => { egress: Egress; base: string } = perSettings(
  ({ GATEHOUSE_BASE_URL: base, GATEHOUSE_DNS_SERVER: server }) => {
    const isLocal = isLoopbackName(new URL(base).hostname);
    const policy = isLocal ? { allow: LOOPBACK, allowHttp: 'allowed-addresses' as const } : settledPolicy();
    const resolver = server === '' || isLocal ? {} : { resolver: dnsResolver([server]) };
    return { base, egress: createEgress(policy, { connectionsPerHost: CONNECTIONS, ...resolver }) };
  },
  ({ egress }) => egress.close(),
);

/**
 * Calls the service's own API at its base URL, and nothing else: another host, user information, a redirect or a path that leaves
 * the base URL cannot be expressed. At most 4 MiB.
 * @throws EgressError; Error for a path that is not below the base URL
 */
export async function callOwnService({
  method,
  path,
  token,
  body,
  headers = {},
  timeoutMs = TIMEOUT_MS,
}: OwnCall): Promise<EgressResponse> {
  const { egress, base } = own();
  const url = `${base}${path}`;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // The path must be written as it is sent: no "..", no second authority, no fragment.
  const isBelow = path.startsWith('/') && parsed?.origin === new URL(base).origin && parsed.href === url;
  if (!isBelow || parsed.hash !== '') throw new EgressError('invalid_url');
  return egress.send({
    method,
    url,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs,
    maxBytes: MAX_BYTES,
    redirects: 0,
    reuse: method === 'GET',
  });
}
