import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type Engine, callAws } from '../aws-call.ts';
import { makePrivate } from '../data-folder.ts';
import { StartError } from '../listen.ts';
import { indexStream } from './stream-index.ts';

const START_LIMIT_MS = 10_000;

/**
 * Runs a program for as long as this process lives: standard input is a pipe whose end at this side closes with the
 * process, however it ends, and then the program is ended too. No engine outlives a `kill -9` with the database open.
 */
const SUPERVISOR = `
exec 3<&0
"$@" </dev/null &
child=$!
{ cat <&3 >/dev/null; kill $child 2>/dev/null; sleep 1; kill -9 $child 2>/dev/null; } &
watch=$!
exec 3<&-
wait $child
status=$?
kill $watch 2>/dev/null
exit $status`;

/** A running DynamoDB of this machine. */
export interface TableEngine extends Engine {
  /** The DynamoDB Streams API of the same engine. */
  streams: Engine;
  /** Ends the engine; what it acknowledged is on disk. */
  stop: () => Promise<void>;
}

/** The engine at an address. */
export function tableEngineAt(url: string, stop: () => Promise<void> = async () => undefined): TableEngine {
  return {
    url,
    service: 'DynamoDB_20120810',
    version: '1.0',
    streams: { url, service: 'DynamoDBStreams_20120810', version: '1.0' },
    stop,
  };
}

/**
 * Starts dynoxide on a free port.
 * @param file the database; in memory when left out
 * @param onLost called when it ends by itself
 * @throws StartError when there is no binary, or the database cannot be opened
 */
export async function startTableEngine(
  file: string | undefined,
  onLost: (reason: string) => void,
): Promise<TableEngine> {
  if (file !== undefined) makePrivate(file);
  const port = await freePort();
  const program = binary();
  const args = ['--port', String(port), ...(file === undefined ? [] : ['--db-path', file])];
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', program, ...args], {
    // Its own process group: the terminal's Ctrl-C is for this process, which then ends the engine itself.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let isStopping = false;
  const engine = tableEngineAt(`http://127.0.0.1:${port}`, async () => {
    isStopping = true;
    child.stdin.destroy();
    await ended;
  });
  await untilReady(engine, child, () => said, file);
  if (file !== undefined) indexStream(file);
  void ended.then(() => {
    if (isStopping) return;
    child.stdin.destroy();
    onLost(`The database engine ended by itself. ${said.trim()}`);
  });
  return engine;
}

/** Removes a database with its companion files. */
export function removeTables(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
}

async function untilReady(
  engine: TableEngine,
  child: ChildProcess,
  said: () => string,
  file: string | undefined,
): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      await callAws(engine, 'ListTables', {});
      return;
    } catch (error) {
      const gone = child.exitCode !== null;
      if (gone || performance.now() > deadline || !isConnectionError(error)) {
        await engine.stop();
        const what = said().trim() || (error instanceof Error ? error.message : String(error));
        throw new StartError(
          `The database engine does not start${file === undefined ? '' : ` on ${file}`}: ${what}\n` +
            (file === undefined ? '' : 'If the file is damaged, move it away or start with another --data folder.'),
        );
      }
      await delay(2);
    }
  }
}

const isConnectionError = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ECONNRESET'].includes(String((error as { code?: unknown }).code));

/** The engine's program: the installed package's, or one on the PATH. */
function binary(): string {
  const packaged = `@dynoxide/${process.platform}-${process.arch}/package.json`;
  try {
    const program = join(dirname(createRequire(import.meta.url).resolve(packaged)), 'dynoxide');
    if (existsSync(program)) return program;
  } catch {
    // Not installed for this platform: the person may have it on the PATH.
  }
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'dynoxide'))
    .find(isExecutable);
  if (found !== undefined) return found;
  throw new StartError(
    `There is no database engine for ${process.platform}-${process.arch}. Install dynoxide (brew install dynoxide, ` +
      'cargo install dynoxide-rs, or npm install -g dynoxide), or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB Local ' +
      'that runs already; on Linux x64 `npm ci` brings it along.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
