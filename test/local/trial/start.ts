import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll } from '@jest/globals';

/** The messages that a worker received. */
export interface Seen {
  worker: string;
  text: string;
  at: number;
  most?: number;
  receives?: number;
  step?: number;
}

/** A local service with the trial areas, in a separate process. */
export interface Trial {
  url: string;
  apiKey: string;
  clientId: string;
  id: string;
  endpoints: Record<string, string>;
  process: ChildProcessWithoutNullStreams;
  call: (method: string, path: string, body?: unknown) => Promise<{ status: number; headers: Headers; body: Body }>;
  local: (method: string, path: string, body?: unknown) => Promise<Body>;
  idle: () => Promise<void>;
  seen: (worker: string) => Seen[];
  /** Ends the service like Ctrl-C. */
  stop: () => Promise<void>;
  /** Ends the service like a power failure. */
  kill: () => Promise<void>;
}

/** Members of the responses that these tests read. */
export interface Body {
  id: string;
  text: string;
  code: string;
  message: string;
  now: string;
  milliseconds: number;
  idle: boolean;
  data: Body[];
}

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

/** A folder that is removed after the test file. */
export function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-local-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const serve = fileURLToPath(new URL('serve.ts', import.meta.url));
const command = fileURLToPath(new URL('../../../bin/local.ts', import.meta.url));

/** Starts a script, and waits until it is ready or has ended. */
export async function run(script: string, args: readonly string[], variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    env: { ...process.env, ...variables },
  });
  const exited = once(child, 'exit');
  // The end is awaited, because a child that still runs keeps the test worker from exiting.
  undo.push(() => (child.kill('SIGKILL') ? exited : undefined));
  const output = { out: '', err: '' };
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output.out += chunk.toString();
      if (output.out.endsWith('\n')) resolve();
    });
    child.once('close', () => resolve());
  });
  return { child, output };
}

/** Starts `bin/local.ts`, and waits until it is ready or has ended. */
export const runCommand = (args: readonly string[], variables: Record<string, string> = {}) =>
  run(command, args, variables);

/** Starts `bin/local.ts` with options with which it cannot start, and returns its exit status and its output. */
export async function startError(args: readonly string[], variables: Record<string, string> = {}) {
  const { child, output } = await runCommand(args, variables);
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('exit', resolve)));
  return { code, ...output };
}

/**
 * Starts the trial.
 * @throws Error with its output if it does not start
 */
export async function startTrial(
  options: { dataFolder?: string; port?: number; limits?: boolean } = {},
  variables: Record<string, string> = {},
): Promise<Trial> {
  const log = join(options.dataFolder ?? newFolder(), 'trial.log');
  const { child, output } = await run(serve, [JSON.stringify(options)], {
    TRIAL_LOG: log,
    GATEHOUSE_LOG_LEVEL: 'silent',
    ...variables,
  });
  if (output.out === '') throw new Error(output.err);
  const ready = JSON.parse(output.out) as Pick<Trial, 'url' | 'apiKey' | 'clientId' | 'id' | 'endpoints'>;
  const call: Trial['call'] = async (method, path, sent) => {
    const response = await fetch(`${ready.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${ready.apiKey}`, 'content-type': 'application/json' },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const body = JSON.parse((await response.text()) || '{}') as Body;
    return { status: response.status, headers: response.headers, body };
  };
  const local: Trial['local'] = async (method, path, body) => (await call(method, `/_local/${path}`, body)).body;
  const end = async (how: () => void): Promise<void> => {
    const closed = once(child, 'close');
    how();
    await closed;
  };
  return {
    ...ready,
    process: child,
    call,
    local,
    idle: async () => {
      const state = await local('GET', 'idle?wait_ms=10000');
      if (!state.idle) throw new Error(`Still busy: ${JSON.stringify(state)} ${output.err}`);
    },
    seen: (worker) => readSeen(log).filter((line) => line.worker === worker),
    stop: () => end(() => child.stdin.end()),
    kill: () => end(() => child.kill('SIGKILL')),
  };
}

function readSeen(file: string): Seen[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Seen);
  } catch {
    return [];
  }
}
