/** The same calls by the same client to this service and to Keycloak, both with their data on disk, in turns. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Skipped } from '../../clients/cache.ts';
import { connect, type Connection } from '../../support/connection.ts';
import { forkChild } from '../child.ts';
import { load, type LoadFigures } from '../load.ts';
import type { Ready } from '../service.ts';
import { printTable, quantile } from '../table.ts';
import { type Call, type Calls, prepareKeycloak, prepareOwn } from './calls.ts';
import { startKeycloak } from './server.ts';

/** The effort of a comparison: each call is sent for `warmUpSeconds` without being counted. */
export interface KeycloakPace {
  warmUpSeconds: number;
  seconds: number;
  rounds: number;
}

/** The medians of the loads of one call to one service. */
export interface KeycloakFigures {
  call: string;
  service: string;
  loads: (Pick<LoadFigures, 'concurrency' | 'perSecond' | 'p99'> & { cpuMs: number })[];
}

/** A service that is compared. */
interface Subject {
  name: string;
  pid: number;
  connection: Connection;
  calls: Calls;
}

const CONCURRENCIES = [1, 16] as const;
/** Linux counts the CPU time of a process in hundredths of a second. */
const TICK_MS = 10;

function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Sends a call for some time. @returns its figures and the CPU time of the service for each call @throws Error for a wrong status */
async function measure({ name, pid, connection }: Subject, call: Call, concurrency: number, seconds: number) {
  const send: Connection['send'] = async (sent) => {
    const response = await connection.send<never>(sent);
    call.take?.(response.body);
    return response;
  };
  const [before, startedAt] = [readCpuMs(pid), performance.now()];
  const figures = await load({ ...connection, send }, call.next, concurrency, seconds);
  const count = (figures.perSecond * (performance.now() - startedAt)) / 1_000;
  if (Object.keys(figures.unexpected).length > 0) {
    throw new Error(`${name} responded with ${JSON.stringify(figures.unexpected)}`);
  }
  return { ...figures, cpuMs: (readCpuMs(pid) - before) / count };
}

/** Compares the services. @throws {Skipped} with the reason if Keycloak cannot run on this machine */
async function compareKeycloak({ warmUpSeconds, seconds, rounds }: KeycloakPace): Promise<KeycloakFigures[]> {
  if (process.platform !== 'linux') throw new Skipped('the CPU time of a process is read on Linux only');
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-keycloak-'));
  const stops: (() => unknown)[] = [];
  try {
    const keycloak = await startKeycloak(join(folder, 'keycloak'));
    stops.push(keycloak.stop);
    const { message, process: child } = await forkChild<Ready>('service.ts', ['--data', join(folder, 'data')]);
    stops.push(() => child.disconnect());
    const prepare = async (
      { name, pid = 0, url, apiKey = '' }: { name: string; pid: number | undefined; url: string; apiKey?: string },
      make: (connection: Connection) => Promise<Calls>,
    ): Promise<Subject> => {
      const connection = connect(url, apiKey);
      stops.push(connection.close);
      return { name, pid, connection, calls: await make(connection) };
    };
    const subjects = [
      await prepare({ name: 'gatehouse --data', pid: child.pid, ...message }, prepareOwn),
      await prepare({ name: 'keycloak 26.7.3', ...keycloak }, prepareKeycloak),
    ];
    const figures: KeycloakFigures[] = [];
    for (const call of Object.keys(subjects[0]?.calls ?? {})) {
      figures.push(...(await compareCall(call, subjects, { warmUpSeconds, seconds, rounds })));
    }
    return figures;
  } finally {
    for (const stop of stops) await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareCall(
  call: string,
  subjects: readonly Subject[],
  { warmUpSeconds, seconds, rounds }: KeycloakPace,
): Promise<KeycloakFigures[]> {
  const prepared = subjects.map((subject) => ({ subject, one: subject.calls[call] as Call }));
  for (const { subject, one } of prepared) await measure(subject, one, 16, warmUpSeconds);
  const measured = prepared.map(({ subject }) => ({ subject, loads: [] as Awaited<ReturnType<typeof measure>>[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { subject, one }] of prepared.entries()) {
      for (const concurrency of CONCURRENCIES) {
        measured[at]?.loads.push(await measure(subject, one, concurrency, seconds));
      }
    }
  }
  return measured.map(({ subject, loads }) => ({
    call,
    service: subject.name,
    loads: CONCURRENCIES.map((concurrency) => {
      const these = loads.filter((each) => each.concurrency === concurrency);
      const median = (name: 'perSecond' | 'p99' | 'cpuMs'): number =>
        quantile(
          these.map((each) => each[name]),
          0.5,
        );
      return { concurrency, perSecond: median('perSecond'), p99: median('p99'), cpuMs: median('cpuMs') };
    }),
  }));
}

function printKeycloak(figures: readonly KeycloakFigures[]): void {
  const header = CONCURRENCIES.flatMap((c) => [`c=${c} req/s`, 'p99 ms', 'CPU ms']);
  const rows = figures.map(({ call, service, loads }) => [
    call,
    service,
    ...loads.flatMap(({ perSecond, p99, cpuMs }) => [perSecond.toFixed(0), p99.toFixed(1), cpuMs.toFixed(2)]),
  ]);
  printTable(
    'The same calls to this service and to Keycloak, both with their data on disk',
    ['call', 'service', ...header],
    rows,
  );
  const ratios = figures.flatMap(({ call, loads }, at) => {
    const other = at % 2 === 0 ? figures[at + 1] : undefined;
    if (other === undefined) return [];
    const times = loads.map(({ perSecond }, of) => (perSecond / (other.loads[of]?.perSecond ?? NaN)).toFixed(1));
    return [[call, ...times]];
  });
  printTable(
    'The rate of this service, as a multiple of that of Keycloak',
    ['call', ...CONCURRENCIES.map((c) => `c=${c}`)],
    ratios,
  );
}

/** Compares and prints; a Keycloak that cannot run is reported. @returns the figures, if there are any */
export async function measureKeycloak(pace: KeycloakPace): Promise<KeycloakFigures[]> {
  try {
    const figures = await compareKeycloak(pace);
    printKeycloak(figures);
    return figures;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(`\nKeycloak was not measured: ${error.message}`);
    return [];
  }
}
