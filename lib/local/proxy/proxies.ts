import type { Engines } from '../engines.ts';
import type { Invocations } from '../invocations.ts';
import type { Counters } from './counters.ts';
import { type Dependency, dependencies } from './dependency.ts';
import type { Faults } from './faults.ts';
import { type Proxy, type ProxyOptions, startProxy } from './proxy.ts';

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
  table: Pick<ProxyOptions, 'rewrite' | 'onDone'>;
}

/** Starts a proxy for each dependency. */
export async function startProxies(options: ProxiesOptions): Promise<Proxies> {
  const { engines, invocations, faults, counters, table } = options;
  const proxies: [Dependency, Proxy][] = await Promise.all(
    dependencies.map(async (dependency): Promise<[Dependency, Proxy]> => {
      const upstream = engines.addresses[dependency];
      const own = dependency === 'table' ? { ...table, run: () => engines.table().run } : {};
      return [dependency, await startProxy({ dependency, upstream, invocations, faults, counters, ...own })];
    }),
  );
  return {
    urls: Object.fromEntries(proxies.map(([dependency, { url }]) => [dependency, url])) as Record<Dependency, string>,
    settled: async (limitMs) => {
      const deadline = performance.now() + limitMs;
      while (proxies.some(([, proxy]) => proxy.forwarding() > 0) && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    close: async () => {
      await Promise.all(proxies.map(([, proxy]) => proxy.close()));
    },
  };
}
