import { useRequestHandlers } from '../../../functions/kernel/aws-requests.ts';
import type { Engines } from '../engines.ts';
import { inProcessHandlers } from '../in-process-handler.ts';
import type { Invocations } from '../invocations.ts';
import type { Counters } from './counters.ts';
import { type Dependency, dependencies } from './dependency.ts';
import type { Faults } from './faults.ts';
import { type Proxy, startProxy } from './proxy.ts';
import { TableCalls, type TableCallsOptions } from './table-calls.ts';

/** The proxies of all engines. */
export interface Proxies {
  urls: Readonly<Record<Dependency, string>>;
  /** Resolves when no engine executes a call, at the latest after `limitMs`. */
  settled: (limitMs: number) => Promise<void>;
  close: () => Promise<void>;
}

/** The options of all proxies, and those of the table's proxy. */
export interface ProxiesOptions {
  engines: Engines;
  invocations: Invocations;
  faults: Faults;
  counters: Counters;
  table: Pick<TableCallsOptions, 'rewrite' | 'onDone'>;
}

/** Starts a proxy for each dependency; the functions in this process call the table without its proxy. */
export async function startProxies(options: ProxiesOptions): Promise<Proxies> {
  const { engines, invocations, faults, counters, table } = options;
  const tableCalls = new TableCalls({ ...table, engine: engines.table, invocations, faults, counters });
  const proxies: [Dependency, Proxy][] = await Promise.all(
    dependencies.map(async (dependency): Promise<[Dependency, Proxy]> => {
      const upstream = engines.addresses[dependency];
      const own = dependency === 'table' ? { tableCalls } : {};
      return [dependency, await startProxy({ dependency, upstream, invocations, faults, counters, ...own })];
    }),
  );
  const urls = Object.fromEntries(proxies.map(([dependency, { url }]) => [dependency, url])) as Record<
    Dependency,
    string
  >;
  const former = useRequestHandlers(inProcessHandlers(urls.table, (call) => tableCalls.callWithin(call)));
  return {
    urls,
    settled: async (limitMs) => {
      const deadline = performance.now() + limitMs;
      const isForwarding = () => tableCalls.forwarding > 0 || proxies.some(([, proxy]) => proxy.forwarding() > 0);
      while (isForwarding() && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    close: async () => {
      useRequestHandlers(former);
      await Promise.all(proxies.map(([, proxy]) => proxy.close()));
    },
  };
}
