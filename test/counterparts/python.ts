import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cacheFolder, pythonPrograms, run } from '../clients/cache.ts';

/**
 * Runs a Python script in the environment of `requirements.txt`, with a JSON file as input and one as output.
 *
 * @throws {Skipped} without Python 3.11 or the package registry
 */
export async function callPython<Output>(
  script: string,
  input: unknown,
  env: Record<string, string> = {},
): Promise<Output> {
  const programs = await pythonPrograms('saml-python', join(import.meta.dirname, 'requirements.txt'));
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-counterparts-'));
  try {
    const [from, to] = [join(folder, 'input.json'), join(folder, 'output.json')];
    writeFileSync(from, JSON.stringify(input));
    const { code, output } = await run(join(programs, 'python'), [script, from, to], {
      env: { ...env, PYTHONPYCACHEPREFIX: join(cacheFolder, 'pycache') },
    });
    if (code !== 0) throw new Error(`${script} ended with ${code}: ${output.slice(-2000)}`);
    return JSON.parse(readFileSync(to, 'utf8')) as Output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
