import { useRequestHandlers } from '../../../functions/kernel/aws-requests.ts';
import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import { exchangeAws } from '../aws-call.ts';
import type { Engines } from '../engines.ts';
import type { AwsReply, InProcessCall } from '../in-process-call.ts';
import { shortHandlers } from '../document-calls.ts';
import type { Invocations } from '../invocations.ts';
import { runOperation } from '../dynamodb/engine.ts';
import type { TableEngine } from '../table/engine.ts';
import type { Policies } from '../policy/policies.ts';
import type { Counters } from './counters.ts';
import { type Dependency, dependencies } from './dependency.ts';
import type { Faults } from './faults.ts';
import { type Proxy, startProxy } from './proxy.ts';
import { EngineCalls, type EngineCallsOptions } from './engine-calls.ts';

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
  policies: Policies;
  table: Pick<EngineCallsOptions, 'rewrite' | 'onDone'>;
}

/** Starts a proxy for each dependency; the functions in this process call those that speak JSON without their proxies. */
export async function startProxies(options: ProxiesOptions): Promise<Proxies> {
  const { engines, table, ...shared } = options;
  const calls = {
    table: new EngineCalls({
      ...shared,
      ...table,
      dependency: 'table',
      run: (...call) => runTable(engines.table(), ...call),
    }),
    bus: new EngineCalls({ ...shared, dependency: 'bus', run: engines.bus.run }),
    keys: new EngineCalls({ ...shared, dependency: 'keys', run: engines.keys.run }),
  };
  const proxies: [Dependency, Proxy][] = await awaitAll(
    dependencies.map(async (dependency): Promise<[Dependency, Proxy]> => {
      const upstream = engines.addresses[dependency];
      const own = Object.hasOwn(calls, dependency) ? { calls: calls[dependency as keyof typeof calls] } : {};
      return [dependency, await startProxy({ dependency, upstream, ...shared, ...own })];
    }),
  );
  const urls = Object.fromEntries(proxies.map(([dependency, { url }]) => [dependency, url])) as Record<
    Dependency,
    string
  >;
  const within = Object.entries(calls).map(
    ([dependency, one]) => [urls[dependency as Dependency], (call: InProcessCall) => one.callWithin(call)] as const,
  );
  const functionName = (): string | undefined => shared.invocations.current()?.functionName;
  const former = useRequestHandlers(shortHandlers(urls.table, Object.fromEntries(within), functionName));
  return {
    urls,
    settled: async (limitMs) => {
      const deadline = performance.now() + limitMs;
      const isForwarding = () =>
        Object.values(calls).some(({ forwarding }) => forwarding > 0) ||
        proxies.some(([, proxy]) => proxy.forwarding() > 0);
      while (isForwarding() && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    close: async () => {
      useRequestHandlers(former);
      await awaitAll(proxies.map(([, proxy]) => proxy.close()));
    },
  };
}

const runTable = (engine: TableEngine, operation: string, input: object): AwsReply | Promise<AwsReply> =>
  engine.run === undefined ? exchangeAws(engine, operation, input) : runOperation(engine.run, operation, input);
