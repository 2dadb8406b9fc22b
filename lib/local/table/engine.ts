import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type Engine, callAws } from '../aws-call.ts';
import { makePrivate } from '../data-folder.ts';
import { freePorts, StartError } from '../listen.ts';
import { indexStream } from './stream-index.ts';

/** A busy machine of one core takes its time. */
const START_LIMIT_MS = 30_000;

/**
 * Runs a program for as long as this process lives: standard input is a pipe whose end at this side closes with the
 * process, however it ends, and then the program is ended too. No engine outlives a `kill -9` with the database open.
 */
// eslint-disable-next-line words/plain -- kill is a command of the shell
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

/** Ports that are tried until one is free. */
const PORT_TRIES = 20;

/**
 * Starts dynoxide on a free port.
 * @param file the database; in memory when left out
 * @param onLost called when it ends by itself
 * @param portAt a port to try
 * @throws StartError when there is no binary, or the database cannot be opened
 */
export async function startTableEngine(
  file: string | undefined,
  onLost: (reason: string) => void,
  portAt: (attempt: number) => number = () => randomInt(freePorts.first, freePorts.last),
): Promise<TableEngine> {
  if (file !== undefined) makePrivate(file);
  for (let attempt = 1; ; attempt += 1) {
    const engine = await startOn(portAt(attempt), file, onLost);
    if (engine !== 'port taken') return engine;
    if (attempt === PORT_TRIES) throw new StartError('The database engine found no free port.');
  }
}

async function startOn(
  port: number,
  file: string | undefined,
  onLost: (reason: string) => void,
): Promise<TableEngine | 'port taken'> {
  const program = binary();
  const args = ['--port', String(port), ...(file === undefined ? [] : ['--db-path', file])];
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', program, ...args], {
    // Its own process group: the terminal's Ctrl-C is for this process, which then ends the engine itself.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  // What listens at the port may be somebody else's: that it is this engine is for itself to say.
  const listening = new Promise<true>((resolve) =>
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2_000);
      if (!/listening on/i.test(said)) return;
      said = '';
      resolve(true);
    }),
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = new Promise<false>((resolve) => child.once('exit', () => resolve(false)));
  let isStopping = false;
  const engine = tableEngineAt(`http://127.0.0.1:${port}`, async () => {
    isStopping = true;
    child.stdin.destroy();
    await ended;
  });
  const limit = setTimeout(() => child.stdin.destroy(), START_LIMIT_MS);
  const isListening = await Promise.race([listening, ended]);
  clearTimeout(limit);
  if (!isListening) {
    await engine.stop();
    // What it said last may come after it has ended.
    await Promise.race([closed, delay(2_000)]);
    if (/in use/i.test(said)) return 'port taken';
    throw notStarted(file, said.trim());
  }
  try {
    await callAws(engine, 'ListTables', {});
  } catch (error) {
    await engine.stop();
    throw notStarted(file, said.trim() || (error as Error).message);
  }
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

const notStarted = (file: string | undefined, reason: string): StartError =>
  new StartError(
    `The database engine does not start${file === undefined ? '' : ` on ${file}`}: ${reason}\n` +
      (file === undefined ? '' : 'If the file is damaged, move it away or start with another --data folder.'),
  );

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
