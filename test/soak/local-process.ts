import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { connect, type Connection } from '../support/connection.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const START_LIMIT_MS = 240_000;
const END_LIMIT_MS = 30_000;

/** The whole local service as `npm start` runs it, in separate processes. */
export interface LocalProcess {
  connection: Connection;
  apiKey: string;
  clientId: string;
  pid: number;
  /** Resident memory of the service's own process, without its engine, in MiB. */
  memoryMib: () => number;
  /** CPU time that its processes have taken, its engine among them, in seconds. */
  cpuSeconds: () => number;
  /** Ends it by SIGKILL: all its processes at once, or only the service, whose engine must then end by itself. */
  kill: (what: 'all' | 'service') => Promise<void>;
  /** Ends the process like Ctrl-C. */
  stop: () => Promise<void>;
}

let output = '';

/** The end of the error output of the service that was started last. */
export const lastWords = (): string => output;

/**
 * Starts it on a data folder, or in memory.
 * @param more further options of `npm start`
 * @throws Error with its output if it does not start
 */
export async function startLocalProcess(dataFolder?: string, more: readonly string[] = []): Promise<LocalProcess> {
  const data = dataFolder === undefined ? ['--ephemeral'] : ['--data', dataFolder];
  const args = [
    'bin/local.ts',
    '--port',
    '0',
    '--json',
    '--quiet',
    '--no-limits',
    '--until-stdin-ends',
    ...data,
    ...more,
  ];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', GATEHOUSE_LOG_LEVEL: 'warn' },
    // The service ends when this process ends for any reason.
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-6_000)));
  const line = once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(START_LIMIT_MS) });
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`The service ended with ${String(code)} before it was ready: ${output}`);
  });
  const [ready] = (await Promise.race([line, gone])) as [string];
  gone.catch(() => undefined);
  const { url, api_key: apiKey, client_id: clientId } = JSON.parse(ready) as Record<string, string>;
  if (url === undefined || apiKey === undefined || clientId === undefined) throw new Error(`It said ${ready}`);
  const connection = connect(url, apiKey);
  const pid = child.pid ?? 0;
  return {
    connection,
    apiKey,
    clientId,
    pid,
    memoryMib: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024,
    cpuSeconds: () => [pid, ...listDescendants(pid)].reduce((sum, one) => sum + readCpuSeconds(one), 0),
    kill: async (what) => {
      const family = [pid, ...listDescendants(pid)];
      for (const one of what === 'all' ? family : [pid]) kill(one);
      await ended(child, family);
      connection.close();
    },
    stop: async () => {
      // The last line may be incomplete, so its lack of an error proves nothing.
      child.stderr.removeAllListeners('data').resume();
      const family = [pid, ...listDescendants(pid)];
      child.kill('SIGTERM');
      await ended(child, family);
      connection.close();
    },
  };
}

/** Ticks a second of `/proc`: USER_HZ, 100 on Linux. */
const TICKS = 100;

/** The user and system time of a process, in seconds; 0 for a process that has ended. */
function readCpuSeconds(pid: number): number {
  try {
    // The fields after the program's name: `utime` and `stime` are the 14th and the 15th of all (proc_pid_stat(5)).
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** All processes that this one started, directly or not. */
function listDescendants(pid: number): number[] {
  let children: number[];
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    children = text
      .split(' ')
      .filter((one) => one.trim() !== '')
      .map(Number);
  } catch {
    return [];
  }
  return children.flatMap((child) => [child, ...listDescendants(child)]);
}

/**
 * Waits until none of the processes runs any more.
 * @throws Error when one continues after the service
 */
async function ended(child: ChildProcess, family: readonly number[]): Promise<void> {
  const deadline = performance.now() + END_LIMIT_MS;
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit', { signal: AbortSignal.timeout(END_LIMIT_MS) });
  }
  while (family.some(isRunning)) {
    if (performance.now() > deadline)
      throw new Error(`Processes of the service outlive it: ${family.filter(isRunning).join(', ')}`);
    await delay(5);
  }
}

function isRunning(pid: number): boolean {
  try {
    // A zombie process has ended, but its parent has not collected it yet.
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
