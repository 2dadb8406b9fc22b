/**
 * `npm run check`: types, lint, words, import rules, format, whether the committed OpenAPI document is
 * up to date, and how much of AWS's limits is used. `npm run check -- lint types` runs only the named checks. Two run at a
 * time (one during the tests); each is named with its time when it ends, and its output is printed when it failed.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { printHelp } from './usage.ts';

interface Check {
  name: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The command that fixes its findings, if there is one. */
  mend?: string;
  /** True if its output is printed even if it passes. */
  isPrinted?: boolean;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (path: string) => `node_modules/${path}`;

/**
 * oxlint and the compiler, written in Go, check on one processor. On two, each checks again what it shares with the other, and they take
 * two thirds more CPU time, which the tests that run at the same time need. Garbage is collected less often, within a limit: lint takes
 * 2.3 GiB, and with a limit of 2 GiB it collected again and again, a fifth of its time. Both in one pass (`oxlint --type-check`) save
 * one twentieth of the time and need 3.9 GiB, so they are two checks.
 */
const onOneProcessor = { GOMAXPROCS: '1', GOGC: '400', GOMEMLIMIT: '3GiB' };

const checks: readonly Check[] = [
  { name: 'lint', args: [tool('oxlint/bin/oxlint'), '--threads=1'], env: onOneProcessor },
  // The rules that need no types are checked apart from lint, in seconds.
  { name: 'words', args: ['bin/words.ts'] },
  { name: 'types', args: [tool('typescript-native/bin/tsc'), '-p', '.', '--checkers', '1'], env: onOneProcessor },
  { name: 'imports', args: ['bin/imports.ts'] },
  { name: 'makers', args: ['bin/makers.ts'] },
  { name: 'format', args: [tool('oxfmt/bin/oxfmt'), '--check', '.'], mend: 'npm run format' },
  { name: 'openapi', args: ['bin/openapi.ts', '--check'], mend: 'npm run openapi' },
  { name: 'permissions', args: ['bin/permissions.ts', '--check'], mend: 'npm run permissions' },
  { name: 'limits', args: ['bin/limits.ts'], isPrinted: true },
];

/**
 * Runs checks. @param names of the checks; all of them when none is given @param atOnce the number that run at the same time
 * @returns the names of those that failed @throws RangeError for a name that no check has
 */
export async function check(names: readonly string[] = [], atOnce = 2): Promise<string[]> {
  const unknown = names.find((name) => !checks.some((known) => known.name === name));
  if (unknown !== undefined) {
    throw new RangeError(`There is no check "${unknown}". Checks: ${checks.map(({ name }) => name).join(', ')}`);
  }
  const waiting = checks.filter(({ name }) => names.length === 0 || names.includes(name));
  const failed: string[] = [];
  console.log(`Running ${waiting.map(({ name }) => name).join(', ')} …`);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const started = performance.now();
      const { code, output } = await run(next);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${next.name.padEnd(11)} ${seconds.padStart(6)} s`);
      if (code === 0 && next.isPrinted !== true) continue;
      console.log(output.trimEnd());
      if (code === 0) continue;
      const { name, mend } = next;
      console.log(
        mend === undefined
          ? `Run "npm run check -- ${name}" to see only this; CONTRIBUTING.md (Checks) says how to mend it.\n`
          : `"${mend}" mends this.\n`,
      );
      failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failed;
}

function run({ args, env }: Check): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.on('close', (code) => resolve({ code, output }));
  });
}

if (import.meta.main) {
  printHelp(`usage: npm run check [-- NAME …]
Runs the named checks, or all: ${checks.map(({ name }) => name).join(', ')}. CONTRIBUTING.md says what each finds. Exit status 1 if
one fails.`);
  try {
    process.exitCode = (await check(process.argv.slice(2))).length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
