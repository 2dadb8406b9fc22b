import { useRequestHandlers } from '../../functions/kernel/aws-requests.ts';
import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { runOperation } from '../../lib/local/dynamodb/engine.ts';
import type { AwsReply } from '../../lib/local/in-process-call.ts';
import { inProcessHandlers } from '../../lib/local/in-process-handler.ts';
import { Invocations } from '../../lib/local/invocations.ts';
import { Policies } from '../../lib/local/policy/policies.ts';
import { Counters } from '../../lib/local/proxy/counters.ts';
import { EngineCalls } from '../../lib/local/proxy/engine-calls.ts';
import { Faults } from '../../lib/local/proxy/faults.ts';
import { startProxy } from '../../lib/local/proxy/proxy.ts';
import { openEngine } from '../../lib/local/table/store.ts';
import { makeTable } from '../../lib/local/table/tables.ts';
import { buckets, queues, signingKeys, tables, throttle } from '../../lib/topology/resources.ts';

/** Tables for the kernel in this process. */
export interface TestTable {
  stop: () => Promise<void>;
}

/** Tables that are called by a function. */
export interface OpenTables {
  run: (operation: string, input: object) => AwsReply;
  stop: () => Promise<void>;
}

/** Opens an engine with the topology's tables. @param folder the folder of its file; in memory if absent */
export async function openTables(folder: string | undefined): Promise<OpenTables> {
  const local = openEngine(folder);
  const engine = local.engine();
  await awaitAll(tables.map((table) => makeTable(engine, table.name, table, false)));
  return {
    run: (operation, input) => runOperation((...call) => local.run(...call), operation, input),
    stop: engine.stop,
  };
}

/**
 * Creates the topology's tables in the memory of this process. A call of the kernel takes a turn of the event loop and no
 * connection, so it costs a fifth of one to another process. Clients of the SDK and other processes do not reach these tables.
 */
export async function startMemoryTable(): Promise<TestTable> {
  const { run, stop } = await openTables(undefined);
  const url = 'http://table-in-memory.invalid';
  const former = useRequestHandlers(
    inProcessHandlers({ [url]: ({ operation, input }) => Promise.resolve(run(operation, input)) }),
  );
  useTables(url);
  return {
    stop: async () => {
      useRequestHandlers(former);
      closeTableClient();
      await stop();
    },
  };
}

/**
 * Starts an engine of the test's own, with the topology's tables, which other processes reach by HTTP.
 * @param folder a folder that may have some of them already; in memory if absent
 */
export async function startTable(folder?: string): Promise<TestTable> {
  const { run, stop } = await openTables(folder);
  // No function calls these tables, so no policy applies.
  const topology = { tables, queues, buckets, signingKeys, throttle, functions: [] };
  const policies = new Policies(topology, { kmsKey: 'kms', evidenceKey: 'evidence' });
  const shared = { invocations: new Invocations(), faults: new Faults(), counters: new Counters(), policies };
  const calls = new EngineCalls({ ...shared, dependency: 'table', run });
  const proxy = await startProxy({ ...shared, dependency: 'table', upstream: () => '', calls });
  useTables(proxy.url);
  return {
    stop: async () => {
      closeTableClient();
      await proxy.close();
      shared.invocations.close();
      await stop();
    },
  };
}

function useTables(url: string): void {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: url,
    GATEHOUSE_LOG_LEVEL: 'silent',
    ...Object.fromEntries(tables.map(({ name, variable }) => [variable, name])),
  });
  forgetSettings();
  closeTableClient();
}
