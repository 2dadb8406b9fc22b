import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { cached, install, pythonPrograms } from '../clients/cache.ts';
import { ACCOUNT, Aws, REGION } from './aws.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const START_LIMIT_MS = 60_000;
const END_LIMIT_MS = 10_000;

/** MiniStack in separate processes. */
export interface Emulator {
  aws: Aws;
  port: number;
  /** The end of the emulator's output. */
  lastWords: () => string;
  /**
   * Ends it with all functions that it runs.
   * @throws Error when one of them does not end
   */
  stop: () => Promise<void>;
}

/** The options of the emulator. */
export interface Programs {
  /** The Python of the virtual environment. */
  python: string;
  ministack: string;
  /** The folder of packages that Lambda's runtime contains. */
  runtime: string;
}

/**
 * Installs the pinned packages under `node_modules/.cache/clients`, once.
 * @throws {Skipped} with the reason when Python or a registry is missing
 */
export async function installEmulator(): Promise<Programs> {
  const programs = await pythonPrograms('ministack', join(here, 'requirements.txt'));
  const files = ['package.json', 'package-lock.json'];
  const pins = files.map((name) => join(here, 'runtime', name));
  const runtime = await cached('lambda-runtime', pins, async (target) => {
    for (const name of files) cpSync(join(here, 'runtime', name), join(target, name));
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await install('npm', [...args, '--cache', join(target, '.npm')], { cwd: target });
  });
  return {
    python: join(programs, 'python'),
    ministack: join(programs, 'ministack'),
    runtime: join(runtime, 'node_modules'),
  };
}

/** Starts it on a free port of loopback, with its files in a folder that is removed with it. */
export async function startEmulator({ ministack, runtime }: Programs): Promise<Emulator> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-trial-'));
  const logFile = join(folder, 'said.log');
  const log = createWriteStream(logFile);
  await once(log, 'open');
  const child = spawn(ministack, [], {
    cwd: folder,
    // The emulator has a process group of its own, by which its functions are found and ended.
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      ...environmentOfHost(),
      TMPDIR: folder,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      MINISTACK_REGION: REGION,
      STATE_DIR: join(folder, 'state'),
      // Functions run on this Node, with the packages that the runtime contains.
      PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
      NODE_PATH: runtime,
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${new URL('respond-to-cloudformation.ts', import.meta.url).href}`,
    },
  });
  const group = -(child.pid ?? 0);
  if (group === 0) throw new Error(`${ministack} does not start`);
  const atExit = (): void => void signal(group, 'SIGKILL');
  process.on('exit', atExit);
  const lastWords = (): string => readFileSync(logFile, 'utf8').slice(-6_000);
  const stop = async (): Promise<void> => {
    const deadline = performance.now() + END_LIMIT_MS;
    signal(group, 'SIGTERM');
    while (signal(group, 0) && performance.now() < deadline) await delay(50);
    if (signal(group, 'SIGKILL')) await delay(500);
    if (signal(group, 0)) throw new Error(`Processes of the group ${-group} outlive the emulator`);
    process.off('exit', atExit);
    log.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const aws = new Aws(`http://127.0.0.1:${port}`);
  try {
    await ready(aws.endpoint, () => child.exitCode === null, lastWords);
  } catch (error) {
    await stop();
    throw error;
  }
  return { aws, port, lastWords, stop };
}

/** The emulator gets no AWS variable of the shell, which it would pass to the functions. */
const environmentOfHost = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AWS|GATEHOUSE|MINISTACK|LAMBDA|npm)_/.test(name)),
  );

/**
 * Sends a signal to a process group.
 * @returns whether there is still a process in it
 */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, name);
  } catch {
    return false;
  }
}

async function ready(endpoint: string, runs: () => boolean, lastWords: () => string): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (runs() && performance.now() < deadline) {
    const response = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    if (response?.ok === true) return;
    await delay(100);
  }
  throw new Error(`The emulator does not start: ${lastWords()}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
