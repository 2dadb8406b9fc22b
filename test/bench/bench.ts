/**
 * `npm run bench [-- --area a,b] [--peer] [--keycloak] [--quick] [--json FILE]`: measures the service on this machine and
 * prints each figure with its budget (budgets.ts). Times depend on the machine, so they have no effect on the exit status. Counts are the
 * same everywhere: serial round trips or a bundle size above the budget end it with exit status 1.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { readOptions } from '../../bin/usage.ts';
import { topology } from '../../lib/topology/index.ts';
import { connect, type Connection } from '../support/connection.ts';
import { measureAdditions } from './additions.ts';
import { measureBundles } from './bundles.ts';
import { caseFiles } from './cases/index.ts';
import type { Case, Next } from './case.ts';
import { forkChild } from './child.ts';
import { countCase, COUNTED_REQUESTS } from './counts.ts';
import { measureDelivery } from './delivery.ts';
import type { CaseFigures, Figures } from './figures.ts';
import type { AreaCpu, CpuFigures, Effort } from './handler-cpu.ts';
import { type KeycloakPace, measureKeycloak } from './keycloak/compare.ts';
import { load, type LoadFigures } from './load.ts';
import { measurePeer, type PeerPace } from './peer/peer.ts';
import { isWithinCounts, print } from './report.ts';
import type { Ready } from './service.ts';

const USAGE = `usage: npm run bench [-- --area a,b] [--peer] [--keycloak] [--quick] [--json FILE]
Measures the service on this machine and prints each figure with its budget. --area limits it to some areas, --peer to the
comparison with the emulator of npm workos, which a run of all areas has at its end, --keycloak to the one with Keycloak from Maven
(Java 17, both with their data on disk); --quick measures for a shorter time, --json also writes the figures to a file. Exit
status 1 if a count (round trips, sizes) is above its budget.`;

const CONCURRENCIES = [1, 16, 64] as const;

/** The duration of each measurement. */
interface Pace {
  loadSeconds: number;
  /**
   * Maximum requests of one load whose requests each use up something that has to be prepared, so that it may end sooner.
   */
  loadSize: number;
  cpu: Effort;
  initRounds: number;
  changes: number;
  peer: PeerPace;
  keycloak: KeycloakPace;
}
const PACES: Readonly<Record<'full' | 'quick', Pace>> = {
  full: {
    loadSeconds: 0.7,
    loadSize: 300,
    cpu: { warmUp: 150, batches: 15, batchSize: 10 },
    initRounds: 9,
    changes: 100,
    peer: { seconds: 0.7, rounds: 3, many: 10_000 },
    keycloak: { warmUpSeconds: 4, seconds: 2, rounds: 3 },
  },
  quick: {
    loadSeconds: 0.12,
    loadSize: 40,
    cpu: { warmUp: 30, batches: 7, batchSize: 5 },
    initRounds: 7,
    changes: 20,
    peer: { seconds: 0.2, rounds: 1, many: 1_000 },
    keycloak: { warmUpSeconds: 1, seconds: 0.7, rounds: 1 },
  },
};

async function run(folder: string, areas: ReadonlySet<string>, pace: Pace): Promise<Figures> {
  const files = caseFiles.filter(({ area }) => areas.has(area));
  // Sizes and module init are measured first, while nothing else of this program runs.
  const bundles = await measureBundles(folder, areas, pace.initRounds);
  // Credentials stay cached for the whole run, because the budget is that of warm caches.
  const service = await forkChild<Ready>('service.ts', [], { GATEHOUSE_CREDENTIAL_CACHE_MS: '3600000' });
  const { url, apiKey, variables } = service.message;
  // Cases write records that no operation creates yet as rows, with the kernel of this process.
  Object.assign(process.env, variables);
  const connection = connect(url, apiKey);
  try {
    const cases: CaseFigures[] = [];
    for (const area of new Set(files.map((file) => file.area))) {
      const args = [area, url, apiKey, JSON.stringify(pace.cpu), folder];
      const { message: cpu } = await forkChild<AreaCpu>('handler-cpu.ts', args, variables);
      for (const one of files.filter((file) => file.area === area).flatMap((file) => file.cases)) {
        cases.push(await measureCase(connection, area, one, pace, cpu[one.name]));
      }
    }
    const delivery = areas.has('webhooks') ? await measureDelivery(connection, pace.changes) : undefined;
    const additions = areas.has('console') ? await measureAdditions(connection) : undefined;
    return { cases, bundles, delivery, additions };
  } finally {
    connection.close();
    service.process.disconnect();
  }
}

async function measureCase(
  connection: Connection,
  area: string,
  one: Case,
  pace: Pace,
  cpu: CpuFigures = { handlerMs: NaN, clientMs: NaN, p99: { cpuMs: NaN, elapsedMs: NaN } },
): Promise<CaseFigures> {
  await connection.control('POST', 'reset');
  const most = Math.floor(((one.most ?? Infinity) - COUNTED_REQUESTS) / CONCURRENCIES.length);
  const loadSize = Math.min(pace.loadSize, most);
  const next = await one.prepare(connection, COUNTED_REQUESTS + CONCURRENCIES.length * loadSize);
  const counts = await countCase(connection, `${area}-http`, next);
  const loads: LoadFigures[] = [];
  for (const concurrency of CONCURRENCIES) {
    loads.push(await load(connection, atMost(next, one.usesUp ? loadSize : Infinity), concurrency, pace.loadSeconds));
  }
  const { prepare: _prepare, concurrently: _concurrently, isSimple = false, ...described } = one;
  return { area, ...described, isSimple, counts, loads, cpu };
}

/** Returns at most this many of the requests, since the loads of a case share the prepared records. */
function atMost(next: Next, size: number): Next {
  let given = 0;
  return () => (given++ < size ? next() : undefined);
}

async function main(): Promise<number> {
  const { area, peer, keycloak, quick, json } = readOptions(USAGE, {
    options: {
      area: { type: 'string' },
      peer: { type: 'boolean', default: false },
      keycloak: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  }).values;
  const pace = PACES[quick ? 'quick' : 'full'];
  if (peer || keycloak) {
    const figures = peer ? await measurePeer(pace.peer) : await measureKeycloak(pace.keycloak);
    if (json !== undefined) await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`);
    return 0;
  }
  const known = new Set(topology.functions.map((one) => one.area));
  const areas = new Set(area?.split(',') ?? known);
  const unknown = [...areas].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    console.error(`There is no area ${unknown.join(', ')}. There are: ${[...known].join(', ')}.`);
    return 2;
  }
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  let figures: Figures;
  try {
    figures = await run(folder, areas, pace);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (json !== undefined) await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`);
  const { node, v8 } = process.versions;
  console.log(`Node ${node} (V8 ${v8}), ${availableParallelism()} cores, ${quick ? 'quick' : 'full'} run`);
  print(figures);
  if (area === undefined) await measurePeer(pace.peer);
  console.log(`\n${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return isWithinCounts(figures) ? 0 : 1;
}

process.exitCode = await main();
