import { addressRules } from './addresses.ts';
import { withDeadline } from './deadline.ts';
import { egressFetch, type FetchLimits } from './fetch.ts';
import { connectionPool } from './pool.ts';
import { dnsResolver, type Resolver } from './resolver.ts';
import { type EgressRequest, type EgressResponse, send } from './send.ts';
import { checkUrl, type PlainHttp } from './url.ts';

export { EgressError, type EgressErrorCode } from './errors.ts';
export type { FetchLimits } from './fetch.ts';
export { dnsResolver, type Resolver } from './resolver.ts';
export type { EgressRequest, EgressResponse } from './send.ts';

/**
 * The exemptions of a deployment from the rule "only public addresses, only https". They are configured, and no area
 * decides about them.
 */
export interface EgressPolicy {
  /** Networks (CIDR) exempt from blocking, for example `127.0.0.0/8` and `::1/128` in the local service. */
  allow: readonly string[];
  /** True if plain http may be used, and then only if every address is in `allow`. */
  allowHttp: PlainHttp;
}

/** Parts that a test replaces, or a deployment with its own name servers or authorities. */
export interface EgressOptions {
  resolver?: Resolver;
  /** Certificate authorities (PEM) trusted in addition to the runtime's own. */
  ca?: readonly string[];
  /** Maximum idle connections to one host; 2 if absent. */
  connectionsPerHost?: number;
}

/** The only way to call addresses that customers name. */
export interface Egress {
  /**
   * Sends one request and reads the whole response, within its limits of time, size and redirects.
   * @throws EgressError; the signal's reason when the caller aborts
   */
  send(request: EgressRequest): Promise<EgressResponse>;
  /** Returns a `fetch` with the given limits, for libraries that accept one. */
  fetch(limits: FetchLimits): typeof globalThis.fetch;
  /**
   * Checks a URL without resolving it, before it is saved.
   * @param options `fragment: false` rejects a fragment, which a webhook's receiver would never see
   * @throws EgressError `invalid_url`, `scheme_refused`, `userinfo_refused`, `address_refused`
   */
  checkUrl(url: string, options?: { fragment?: boolean }): URL;
  /**
   * Returns the TXT records of a name, each joined to one text; empty if there are none.
   * @param options `timeoutMs` for the whole lookup
   * @throws EgressError `unresolvable` (no server responded), `timeout`
   */
  resolveTxt(name: string, options: { timeoutMs: number }): Promise<readonly string[]>;
  /** Closes idle connections; calls in progress are completed. */
  close(): void;
}

/**
 * Creates the guard for one policy, with connections of its own. `kernel/README.md` (Decisions) describes the attacks that
 * it prevents.
 * @throws Error for a policy with a text that is not a network
 */
export function createEgress(policy: EgressPolicy, options: EgressOptions = {}): Egress {
  const rules = { addresses: addressRules(policy.allow), allowHttp: policy.allowHttp };
  const resolver = options.resolver ?? dnsResolver();
  const parts = { rules, resolver, pool: connectionPool(options.ca ?? [], options.connectionsPerHost) };
  const guard = {
    send: (request: EgressRequest) => send(parts, request),
    checkUrl: (url: string, { fragment = true } = {}) => checkUrl(url, rules, fragment),
  };
  return {
    ...guard,
    fetch: (limits) => egressFetch(guard, limits),
    resolveTxt: (name, { timeoutMs }) => withDeadline(timeoutMs, undefined, (signal) => resolver.texts(name, signal)),
    close: () => parts.pool.close(),
  };
}
