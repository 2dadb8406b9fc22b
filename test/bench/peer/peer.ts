/** The same calls by the same client to this service and to its peer, the emulator of npm `workos`, in turns. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cached, install, Skipped } from '../../clients/cache.ts';
import { connect, type Connection } from '../../support/connection.ts';
import { each, type Expected, type Next } from '../case.ts';
import { type Child, forkChild } from '../child.ts';
import { load, type LoadFigures } from '../load.ts';
import type { Ready } from '../service.ts';
import { printTable, quantile } from '../table.ts';
import type { ReadyPeer } from './emulator.ts';

/** The requests a second of one call, by service, each at all concurrencies. */
export interface PeerFigures {
  call: string;
  services: Record<string, Spread[]>;
}

/** The median of several loads with the least and the largest. */
interface Spread {
  concurrency: number;
  median: number;
  least: number;
  most: number;
}

/** A service that is compared. */
interface Subject {
  name: string;
  url: string;
  /** Returns a key for one more request. */
  key: () => string;
  stop: () => unknown;
}

/** The effort of a comparison. */
export interface PeerPace {
  seconds: number;
  rounds: number;
  /** Number of organizations of the last two calls. */
  many: number;
}

const CONCURRENCIES = [1, 16, 64] as const;
/** Requests of one key of the emulator, below its limit for a minute. */
const REQUESTS_OF_KEY = 900;

const pin = fileURLToPath(new URL('package.json', import.meta.url));

/** Compares the services. @throws {Skipped} with the reason if the peer cannot be had on this machine */
export async function comparePeer(pace: PeerPace): Promise<PeerFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-peer-'));
  const subjects: Subject[] = [];
  try {
    subjects.push(await startPeer());
    subjects.push(await startOwn('gatehouse --ephemeral', ['--without-capacity']));
    subjects.push(await startOwn('gatehouse with a data folder', ['--data', join(folder, 'data')]));
    const figures: PeerFigures[] = [];
    for (const { call, prepare } of calls(pace.many)) figures.push(await compareCall(call, prepare, subjects, pace));
    return figures;
  } finally {
    for (const { stop } of subjects) stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startPeer(): Promise<Subject> {
  const folder = await cached('bench-peer', [pin], async (target) => {
    await copyFile(pin, join(target, 'package.json'));
    await install('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional'], {
      cwd: target,
    });
  });
  const file = join(folder, 'node_modules', 'workos', 'dist', 'emulate', 'index.js');
  const { message, process: child } = await forkChild<ReadyPeer>('peer/emulator.ts', [file]);
  let sent = 0;
  const key = (): string => message.keys[Math.floor(sent++ / REQUESTS_OF_KEY) % message.keys.length] ?? '';
  return { name: 'emulator', url: message.url, key, stop: () => child.disconnect() };
}

async function startOwn(name: string, args: readonly string[]): Promise<Subject> {
  const { message, process: child }: Child<Ready> = await forkChild<Ready>('service.ts', args);
  return { name, url: message.url, key: () => message.apiKey, stop: () => child.disconnect() };
}

type Send = (request: Omit<Expected, 'status'>) => Promise<{ id: string }>;
type Prepare = (send: Send) => Promise<() => Expected>;

/** The calls, which are measured one after the other on the same records: the lists have 120 records, then many. */
function calls(many: number): { call: string; prepare: Prepare }[] {
  const create = (at: number) => ({ method: 'POST', path: '/organizations', body: { name: `Organization ${at}` } });
  const list = (limit: number, size: number): Prepare => {
    return async (send) => {
      await each(size, (at) => send(create(at)));
      return () => ({ method: 'GET', path: `/organizations?limit=${limit}`, status: 200 });
    };
  };
  return [
    {
      call: 'GET organization',
      prepare: async (send) => {
        const { id } = await send(create(0));
        return () => ({ method: 'GET', path: `/organizations/${id}`, status: 200 });
      },
    },
    { call: 'list of 10', prepare: list(10, 120) },
    { call: 'list of 100', prepare: list(100, 0) },
    {
      call: 'create',
      prepare: async () => {
        let at = 0;
        return () => ({ ...create(at++), status: 201 });
      },
    },
    { call: `list of 10 of more than ${many}`, prepare: list(10, many) },
    { call: `list of 100 of more than ${many}`, prepare: list(100, 0) },
  ];
}

/**
 * Does work with a connection of its own. The emulator closes sockets that were idle for five seconds, which the other services' turns
 * take, and a request that is sent on such a socket in that moment ends with ECONNRESET.
 */
async function withConnection<T>({ url, key }: Subject, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = connect(url, key());
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

async function compareCall(
  call: string,
  prepare: Prepare,
  subjects: readonly Subject[],
  { rounds, seconds }: PeerPace,
): Promise<PeerFigures> {
  const loads = new Map<Subject, LoadFigures[]>(subjects.map((subject) => [subject, []]));
  const nexts = new Map<Subject, Next>();
  for (const subject of subjects) {
    const { key } = subject;
    const next = await withConnection(subject, (connection) =>
      prepare((request) => connection.demand({ ...request, key: key() })),
    );
    nexts.set(subject, () => ({ ...next(), key: key() }));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [subject, figures] of loads) {
      const next = nexts.get(subject) as Next;
      for (const concurrency of CONCURRENCIES) {
        figures.push(await withConnection(subject, (connection) => load(connection, next, concurrency, seconds)));
      }
    }
  }
  const services = [...loads].map(([{ name }, figures]) => [name, summarize(name, call, figures)] as const);
  return { call, services: Object.fromEntries(services) };
}

function summarize(name: string, call: string, figures: readonly LoadFigures[]): Spread[] {
  const wrong = figures.find(({ unexpected }) => Object.keys(unexpected).length > 0);
  if (wrong !== undefined) throw new Error(`${name} responded ${call} with ${JSON.stringify(wrong.unexpected)}`);
  return CONCURRENCIES.map((concurrency) => {
    const rates = figures.filter((one) => one.concurrency === concurrency).map(({ perSecond }) => perSecond);
    return { concurrency, median: quantile(rates, 0.5), least: Math.min(...rates), most: Math.max(...rates) };
  });
}

/** Prints a row for each call and service. */
export function printPeer(figures: readonly PeerFigures[]): void {
  const header = ['call', 'service', ...CONCURRENCIES.flatMap((concurrency) => [`c=${concurrency} req/s`, 'range'])];
  const rows = figures.flatMap(({ call, services }) =>
    Object.entries(services).map(([name, spreads]) => [
      call,
      name,
      ...spreads.flatMap(({ median, least, most }) => [median.toFixed(0), `${least.toFixed(0)}-${most.toFixed(0)}`]),
    ]),
  );
  printTable('The same calls to this service and to the emulator of npm workos 0.14, in turns', header, rows);
}

/** Compares and prints; a peer that cannot be had is reported. @returns the figures, if there are any */
export async function measurePeer(pace: PeerPace): Promise<PeerFigures[]> {
  try {
    const figures = await comparePeer(pace);
    printPeer(figures);
    return figures;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(`\nThe emulator of npm workos was not measured: ${error.message}`);
    return [];
  }
}
