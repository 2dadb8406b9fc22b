import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of everything that is installed for these commands; nothing is written elsewhere. */
export const cacheFolder = join(root, 'node_modules', '.cache', 'clients');

/** Time limit of an installation in ms: the largest client has some 70 MB. */
const INSTALL_LIMIT_MS = 600_000;

/** The error for a client that cannot run on this machine, with the reason, which is printed. */
export class Skipped extends Error {}

/** The output and the end of a command. */
export interface Ended {
  code: number | null;
  output: string;
}

/** Runs a command to its end, without a terminal. @throws {Skipped} when there is no such command */
export function run(
  command: string,
  args: readonly string[],
  { cwd = root, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: INSTALL_LIMIT_MS,
    });
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
    child.on('error', () => reject(new Skipped(`${command} is not installed`)));
    child.on('close', (code) => resolve({ code, output: Buffer.concat(parts).toString('utf8') }));
  });
}

/**
 * Runs a command that must succeed.
 * @throws {Skipped} with its error output when it does not
 */
export async function install(...command: Parameters<typeof run>): Promise<string> {
  const { code, output } = await run(...command);
  if (code === 0) return output;
  const lines = output.trim().split('\n');
  const errors = lines.filter((line) => /error/i.test(line));
  const summary = (errors.length > 0 ? errors.slice(0, 2) : lines.slice(-2)).join(' | ').slice(0, 600);
  throw new Skipped(`"${command[0]} ${command[1].slice(0, 2).join(' ')} …" ended with ${code}: ${summary}`);
}

/**
 * A folder of the cache that is filled once for each content of the files with the pinned versions, and again when they
 * change.
 * @returns its path
 */
export async function cached(
  name: string,
  pins: readonly string[],
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder, name);
  const hash = createHash('sha256');
  for (const pin of pins) hash.update(readFileSync(pin));
  const digest = hash.digest('hex');
  const stamp = join(folder, '.pins');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await fill(folder);
  writeFileSync(stamp, digest);
  return folder;
}

/**
 * A virtual environment with exactly the packages that a requirements file pins by hash.
 * @returns its folder of programs
 */
export async function pythonPrograms(name: string, requirements: string): Promise<string> {
  const version = await run('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))']);
  if (version.code !== 0) throw new Skipped('python3 is older than 3.11, or its module venv is missing');
  const folder = await cached(name, [requirements], async (target) => {
    await install('python3', ['-m', 'venv', target]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', '--disable-pip-version-check'];
    await install(join(target, 'bin', 'python'), [...pip, '--require-hashes', '-r', requirements]);
  });
  return join(folder, 'bin');
}

/**
 * A folder with exactly the packages of npm that the lock file in a folder of flows pins.
 * @returns its path
 */
export async function npmPackages(name: string, folder: string): Promise<string> {
  const files = ['package.json', 'package-lock.json'];
  return cached(
    name,
    files.map((file) => join(folder, file)),
    async (target) => {
      for (const file of files) cpSync(join(folder, file), join(target, file));
      const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await install('npm', [...args, '--cache', join(target, '.npm')], { cwd: target });
    },
  );
}
