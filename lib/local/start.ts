import { type AddressInfo, createServer } from 'node:net';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import type { Topology } from '../topology/model.ts';
import { RouteTable, listRoutes } from '../topology/routes.ts';
import { listThrottles } from '../topology/throttles.ts';
import { makeControl } from './control/control.ts';
import { openDataFolder } from './data-folder.ts';
import { readEnvironment, keepSigningKeys, type LocalEnvironment, makeEnvironment } from './environment.ts';
import type { LoadModule } from './functions.ts';
import { createGateway, type GatewayOptions } from './gateway/server.ts';
import { pathDisplay } from './gateway/path-display.ts';
import { Throttles } from './gateway/token-bucket.ts';
import { createConsoleLink } from '../../functions/faces/console/public.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { makePairReader } from './idp/pair.ts';
import { readTiles } from './idp/tiles.ts';
import { close, listen, StartError } from './listen.ts';
import { readStoredEvents } from './timeline/stored-events.ts';
import { Runtime } from './runtime.ts';
import type { Trace } from './timeline/trace.ts';
import { givenVariables } from './variables.ts';

/** The operator that `/_local/console` signs in. */
const LOCAL_OWNER = { email: 'owner@gatehouse.example', name: 'Local owner', role: 'owner' };

/** The options of the local service. */
export interface LocalOptions {
  /** The port; 0 selects a free one. */
  port: number;
  /** Name under which browsers reach it: `localhost` by default, or one below it. */
  host?: string | undefined;
  /** The data folder; in memory if absent. */
  dataFolder?: string | undefined;
  /** False if the stage's general rate limit is off; default true. */
  limits?: boolean;
  /** True if the table's consumed capacity is counted (`/_local/counters`). */
  measures?: boolean;
  topology: Topology;
  load: LoadModule;
  onRequest?: GatewayOptions['onRequest'];
  onError?: (message: string, error: unknown) => void;
}

/** A running service. */
export interface LocalService {
  url: string;
  /** The same address for programs on this machine, which may not resolve names below `localhost`. */
  localUrl: string;
  environment: LocalEnvironment;
  /** The addresses that AWS clients use, by dependency. */
  endpoints: Readonly<Record<string, string>>;
  /** Stops the service; acknowledged data is kept. */
  close: () => Promise<void>;
}

/**
 * Starts the whole service in this process: engines, functions and the gateway, only on loopback. A process can run one,
 * since functions find it through the process's environment.
 * @throws StartError with a message for the developer
 */
export async function startLocal(options: LocalOptions): Promise<LocalService> {
  const reserved = await reservePort(options.port);
  try {
    return await startAt(reserved, options);
  } finally {
    await reserved.release();
  }
}

async function startAt({ port, release }: ReservedPort, options: LocalOptions): Promise<LocalService> {
  const { topology, load } = options;
  const { onRequest = () => undefined, onError = () => undefined } = options;
  const foreignTable = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const url = `http://${options.host ?? 'localhost'}:${port}`;
  const localUrl = `http://localhost:${port}`;
  const folder = openDataFolder(options.dataFolder);
  const environment = readEnvironment(folder);
  let runtime: Runtime | undefined;
  try {
    const begin = () => makeEnvironment(environment, folder.path !== undefined);
    const keep = () => keepSigningKeys(environment);
    const measures = options.measures ?? false;
    runtime = await Runtime.start({
      folder,
      topology,
      load,
      foreignTable,
      measures,
      baseUrl: url,
      begin,
      keep,
      onError,
    });
    const routes = listRoutes(topology);
    const ofRoutes = listThrottles(routes, topology.throttle);
    const throttles =
      options.limits === false ? undefined : new Throttles(topology.throttle, ofRoutes, () => performance.now());
    const identityProvider = {
      url: localUrl,
      pair: makePairReader(folder, () => clock.now()),
      now: () => clock.now(),
      tiles: () => readTiles(localUrl, environment.apiKey),
    };
    const addresses = { url, localUrl };
    const control = makeControl({ ...makeControls(runtime, environment), ...addresses, identityProvider });
    const { functions, open, timeline } = runtime;
    const display = pathDisplay(topology);
    const gateway: GatewayOptions = {
      routes: new RouteTable(routes),
      invoke: (name, event, trace) => functions.invoke(name, event, trace),
      begin: ({ method, path }) => timeline.begin({ request: { method, path: display(path) } }),
      end: (trace, response, isOfPage) => timeline.end(trace, response, isListed(trace, isOfPage)),
      throttles,
      now: () => clock.now(),
      control,
      open,
      onRequest: ({ path, ...done }) => onRequest({ ...done, path: display(path) }),
      onError,
    };
    await release();
    const servers = await listenOnLoopback(gateway, port);
    await functions.preload();
    folder.announce({ url, client_id: environment.clientId, environment: givenVariables() });
    const running = runtime;
    return {
      url,
      localUrl,
      environment,
      endpoints: runtime.endpoints,
      close: async () => {
        await awaitAll(servers.map(close));
        await running.close();
        folder.close();
      },
    };
  } catch (error) {
    await runtime?.close();
    folder.close();
    throw error;
  }
}

/** Paths of documents and their parts, whose requests the timeline does not show. */
const OF_DOCUMENTS = /^\/(docs(\/|$)|openapi\.json$|llms\.txt$|favicon\.ico$|hosted\/assets\/)/;

/** Reports whether the timeline shows a request from which nothing follows: not the reads of the page at `/_local`. */
const isListed = ({ request }: Trace, isOfPage: boolean): boolean =>
  request !== undefined && !OF_DOCUMENTS.test(request.path) && !(isOfPage && request.method === 'GET');

function makeControls(runtime: Runtime, environment: LocalEnvironment) {
  return {
    messages: (to: string | undefined) => runtime.outbox.list(to),
    findMessage: (id: string) => runtime.outbox.find(id),
    onMessage: (listener: Parameters<Runtime['outbox']['listen']>[0]) => runtime.outbox.listen(listener),
    report: (feedback: Parameters<Runtime['report']>[0]) => runtime.report(feedback),
    time: () => clock.timestamp(),
    clockOffsetSeconds: () => clock.offset() / 1_000,
    returnToRealTime: () => runtime.returnToRealTime(),
    advance: (seconds: number) => runtime.advance(seconds),
    reset: (faults: Parameters<Runtime['reset']>[0]) => runtime.reset(faults),
    addFault: (fault: Parameters<Runtime['addFault']>[0]) => runtime.addFault(fault),
    faults: () => runtime.faults.list(),
    clearFaults: (id: string | undefined) => runtime.clearFaults(id),
    idleness: () => runtime.idleness(),
    variables: givenVariables,
    counters: () => runtime.counters.read(),
    keyCounters: () => runtime.counters.readKeys(),
    clearCounters: () => runtime.counters.clear(),
    consoleLink: () => createConsoleLink(LOCAL_OWNER),
    timeline: runtime.timeline,
    storedEvents: () => readStoredEvents(environment.id),
    apiKey: environment.apiKey,
    clientId: environment.clientId,
    environmentId: environment.id,
  };
}

interface ReservedPort {
  port: number;
  /** Releases the port for the gateway; a second call has no effect. */
  release: () => Promise<void>;
}

/**
 * Checks early whether the port is free, and reserves it while the engines start: on a busy machine that takes seconds,
 * in which another program could get it. Connections in this time are closed.
 */
async function reservePort(wanted: number): Promise<ReservedPort> {
  const holder = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      holder.once('error', reject).listen(wanted, '127.0.0.1', resolve);
    });
  } catch (error) {
    throw portError(wanted, error);
  }
  const { port } = holder.address() as AddressInfo;
  return { port, release: () => new Promise((resolve) => holder.close(() => resolve())) };
}

function portError(port: number, error: unknown): StartError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new StartError(`Port ${port} is taken by another program. Stop it, or start this with --port and another.`);
  }
  if (code === 'EACCES') return new StartError(`Port ${port} needs more rights. Take one above 1023 with --port.`);
  return new StartError(`Port ${port} cannot be used: ${(error as Error).message}`);
}

/**
 * The server listens on both loopback addresses, because `localhost` may resolve to either. A machine without IPv6 has one.
 */
async function listenOnLoopback(gateway: GatewayOptions, port: number) {
  const first = createGateway(gateway);
  try {
    await listen(first, port, '127.0.0.1');
  } catch (error) {
    throw portError(port, error);
  }
  const second = createGateway(gateway);
  try {
    await listen(second, port, '::1');
    return [first, second];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return [first];
    await close(first);
    throw portError(port, error);
  }
}
