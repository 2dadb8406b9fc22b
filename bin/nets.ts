/**
 * `npm run nets [-- NAME …]`: runs what CI does not, one after the other, and prints a table: an evening's work, which a release
 * needs. Exit status 1 if one fails or leaves something out.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { exitWithUsage, readOptions } from './usage.ts';

/** The commands of `npm run`, the quickest to fail first. */
const NETS = ['browser', 'clients', 'counterparts', 'fuzz', 'trial', 'pictures', 'bench', 'soak'] as const;

export type Outcome = 'ok' | 'left something out' | 'failed';

/**
 * The outcome of a command. One that skips a part for a language or a package that is missing is not ok.
 * @param status undefined if a signal ended it
 */
export function readOutcome(status: number | undefined, output: string): Outcome {
  if (status !== 0) return 'failed';
  return /^SKIPPED\b|^Tests: .*\b[1-9]\d* skipped\b/m.test(output) ? 'left something out' : 'ok';
}

/** Runs a command, and shows its output while it runs. */
async function run(name: string): Promise<Outcome> {
  const child = spawn('npm', ['run', name], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (status) => resolve(readOutcome(status ?? undefined, output)));
  });
}

if (import.meta.main) {
  const USAGE = `usage: npm run nets [-- NAME …]
Runs what CI does not, or only the named commands: ${NETS.join(', ')}. It takes an evening.
Exit status 1 if one fails, or skips a part.`;
  const { positionals: names } = readOptions(USAGE, { allowPositionals: true });
  const unknown = names.filter((name) => !NETS.some((net) => net === name));
  if (unknown.length > 0) exitWithUsage(`There is no net ${unknown.join(', ')}`, USAGE);
  const rows: string[] = [];
  for (const name of NETS.filter((net) => names.length === 0 || names.includes(net))) {
    const startedAt = performance.now();
    const outcome = await run(name);
    const minutes = (performance.now() - startedAt) / 60_000;
    rows.push(`${name.padEnd(14)}${`${minutes.toFixed(1)} min`.padStart(10)}  ${outcome}`);
    if (outcome !== 'ok') process.exitCode = 1;
  }
  console.log(`\n${rows.join('\n')}`);
}
