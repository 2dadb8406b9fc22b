import { Resolver as DnsResolver } from 'node:dns/promises';
import { EgressError } from './errors.ts';

/** Resolves names to addresses and TXT records. Tests replace it to imitate an attacker's server. */
export interface Resolver {
  /**
   * Every IPv4 and IPv6 address of the name, IPv4 first.
   * @throws EgressError `unresolvable`; the signal's reason when it aborts
   */
  addresses(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * The TXT records of the name, each record's strings joined (RFC 7208 section 3.3); empty if there are none.
   * @throws EgressError `unresolvable` if no server responded; the signal's reason when it aborts
   */
  texts(name: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Time-out of one attempt in milliseconds; the caller's own deadline may be earlier. */
const queryTimeoutMs = 2_000;

/** Names that are always loopback, for which no server is queried (RFC 6761 section 6.3). */
const loopbackName = /(^|\.)localhost$/i;

/** Response codes for "the name has no such record", as opposed to "no server responded". */
const absent: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * A resolver that queries DNS itself. It never uses `getaddrinfo`: that blocks one of the few threads for hashing and
 * files, for as long as an attacker's name server delays its response, and cannot be cancelled.
 * @param servers `address:port` of the servers to query, instead of the machine's own
 * @throws Error for a server that is not an address
 */
export function dnsResolver(servers: readonly string[] = []): Resolver {
  newDns(servers);
  return {
    async addresses(name, signal) {
      if (loopbackName.test(name)) return ['127.0.0.1', '::1'];
      const found = await withDns(servers, signal, (dns) =>
        Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]),
      );
      const addresses = found.flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
      if (addresses.length === 0)
        throw new EgressError('unresolvable', found.find((a) => a.status === 'rejected')?.reason);
      return addresses;
    },
    async texts(name, signal) {
      try {
        const records = await withDns(servers, signal, (dns) => dns.resolveTxt(name));
        return records.map((strings) => strings.join(''));
      } catch (error) {
        signal.throwIfAborted();
        if (absent.has((error as NodeJS.ErrnoException).code)) return [];
        throw new EgressError('unresolvable', error);
      }
    },
  };
}

async function withDns<T>(servers: readonly string[], signal: AbortSignal, ask: (dns: DnsResolver) => Promise<T>) {
  signal.throwIfAborted();
  const dns = newDns(servers);
  const cancel = () => dns.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const response = await ask(dns);
    signal.throwIfAborted();
    return response;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function newDns(servers: readonly string[]): DnsResolver {
  const dns = new DnsResolver({ timeout: queryTimeoutMs, tries: 2 });
  if (servers.length > 0) dns.setServers(servers);
  return dns;
}
