/**
 * `npm run bench:compare -- BEFORE AFTER [--rounds N] [--area a,b] [--quick]`: runs the bench of two revisions in turns and prints the
 * median of each figure with its range, before and after.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { exitWithUsage, readOptions } from '../../bin/usage.ts';
import { install, root } from '../clients/cache.ts';
import type { Figures } from './figures.ts';
import { printTable, quantile } from './table.ts';

const USAGE = `usage: npm run bench:compare -- BEFORE AFTER [--rounds N] [--area a,b] [--quick]
Runs the bench of two revisions in turns (before, after, before, …), N times each (default 3), and prints the median of each figure
with its range. --area and --quick are passed to the bench. Nothing else should run on the machine.`;

/** The figures of one run by their names. */
type Named = Map<string, number>;

function nameFigures({ cases, bundles, delivery }: Figures): Named {
  const named: Named = new Map();
  for (const { name, counts, loads, cpu } of cases) {
    named.set(`${name} | CPU in the handler, ms`, cpu.handlerMs);
    named.set(`${name} | CPU of the bare client, ms`, cpu.clientMs);
    named.set(`${name} | CPU above the bare client, ms`, cpu.handlerMs - cpu.clientMs);
    named.set(`${name} | serial round trips`, counts.serialRoundTrips);
    for (const { concurrency, perSecond, p99 } of loads) {
      named.set(`${name} | requests a second, c=${concurrency}`, perSecond);
      named.set(`${name} | p99 ms, c=${concurrency}`, p99);
    }
  }
  for (const { name, kib, initMs } of bundles.functions) {
    named.set(`${name} | KiB`, kib);
    if (initMs !== undefined) named.set(`${name} | init, multiple of the bare client`, initMs / bundles.client.initMs);
  }
  if (delivery !== undefined) named.set('change -> first attempt | p50 ms', delivery.p50);
  return named;
}

/** A revision in a work tree of its own. */
interface Tree {
  revision: string;
  folder: string;
  runs: Named[];
}

async function makeTree(folder: string, revision: string): Promise<Tree> {
  await install('git', ['worktree', 'add', '--detach', '--force', folder, revision]);
  const [own, other] = await Promise.all([root, folder].map((at) => readFile(join(at, 'package-lock.json'), 'utf8')));
  // With other locked packages the first script of the tree installs its own.
  if (own === other) {
    await mkdir(join(folder, 'node_modules'));
    // In a further work tree, the packages may be a link.
    const packages = await realpath(join(root, 'node_modules'));
    const cache = join(packages, '.cache');
    await cp(packages, join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => source !== cache,
    });
  }
  return { revision, folder, runs: [] };
}

async function runBench({ folder, revision }: Tree, options: readonly string[]): Promise<Named> {
  const file = join(folder, 'figures.json');
  const args = ['bin/run.mjs', 'test/bench/bench.ts', ...options, '--json', file];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  // Status 1 only says that a count is above its budget.
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0 && status !== 1) throw new Error(`The bench of ${revision} ended with ${String(status)}`);
  return nameFigures(JSON.parse(await readFile(file, 'utf8')) as Figures);
}

function describe(runs: readonly Named[], name: string): string[] {
  const values = runs.flatMap((run) => run.get(name) ?? []);
  if (values.length === 0) return ['', ''];
  const digits = Math.max(...values) < 100 ? 2 : 0;
  const [median, least, most] = [quantile(values, 0.5), Math.min(...values), Math.max(...values)];
  return [median.toFixed(digits), `${least.toFixed(digits)}-${most.toFixed(digits)}`];
}

function print([before, after]: readonly [Tree, Tree], rounds: number): void {
  const names = new Set([before, after].flatMap(({ runs }) => runs.flatMap((run) => [...run.keys()])));
  const rows = [...names].map((name) => {
    const medians = [before, after].map(({ runs }) =>
      quantile(
        runs.flatMap((run) => run.get(name) ?? []),
        0.5,
      ),
    );
    const [first = NaN, last = NaN] = medians;
    const ratio = first === 0 || Number.isNaN(last / first) ? '' : (last / first).toFixed(2);
    return [name, ...describe(before.runs, name), ...describe(after.runs, name), ratio];
  });
  const title = `Medians and ranges of ${rounds} runs each, in turns: ${before.revision}, ${after.revision}`;
  printTable(title, ['figure', 'before', 'range', 'after', 'range', 'after / before'], rows);
}

async function main(): Promise<void> {
  const { values, positionals } = readOptions(USAGE, {
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      area: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const [first, second] = positionals;
  const rounds = Number(values.rounds);
  if (first === undefined || second === undefined || !(rounds >= 1)) return exitWithUsage('Name two revisions', USAGE);
  const options = [...(values.area === undefined ? [] : ['--area', values.area]), ...(values.quick ? ['--quick'] : [])];
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-compare-'));
  const folders = [join(folder, 'before'), join(folder, 'after')] as const;
  try {
    const trees = [await makeTree(folders[0], first), await makeTree(folders[1], second)] as const;
    for (let round = 1; round <= rounds; round += 1) {
      for (const tree of trees) {
        console.log(`round ${round} of ${rounds}: ${tree.revision}`);
        tree.runs.push(await runBench(tree, options));
      }
    }
    print(trees, rounds);
  } finally {
    for (const tree of folders) await install('git', ['worktree', 'remove', '--force', tree]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
