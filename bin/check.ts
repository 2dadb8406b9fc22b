/**
 * `npm run check`: types, lint, import rules, format, whether the committed OpenAPI document is up to date, and how much of
 * AWS's limits is used. Runs the checks two at a time and prints what failed, and that use.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Check {
  name: string;
  args: readonly string[];
  /** Whether its output is printed when it passes too. */
  isShown?: boolean;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (path: string) => `node_modules/${path}`;
const sources = ['bin', 'lib', 'functions', 'test'];

const checks: readonly Check[] = [
  { name: 'lint', args: [tool('eslint/bin/eslint.js'), '--cache', '--cache-location', tool('.cache/eslint/'), '.'] },
  { name: 'types', args: [tool('typescript/bin/tsc'), '-p', '.'] },
  {
    name: 'import rules',
    args: [tool('dependency-cruiser/bin/dependency-cruiser.mjs'), '--config', '.dependency-cruiser.mjs', ...sources],
  },
  { name: 'format', args: [tool('prettier/bin/prettier.cjs'), '--check', '--cache', '.'] },
  { name: 'openapi', args: ['bin/openapi.ts', '--check'] },
  { name: 'limits of AWS', args: ['bin/limits.ts'], isShown: true },
];

/** Runs every check. @returns whether all of them passed. */
export async function check(): Promise<boolean> {
  const waiting = [...checks];
  let passed = true;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { code, output } = await run(next);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${next.name}`);
      if (code === 0 && next.isShown !== true) continue;
      console.log(output.trimEnd());
      passed &&= code === 0;
    }
  };
  await Promise.all([work(), work()]);
  return passed;
}

function run({ args }: Check): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.on('close', (code) => resolve({ code, output }));
  });
}

if (import.meta.main) process.exitCode = (await check()) ? 0 : 1;
