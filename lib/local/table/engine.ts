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

/** Time limit of a start in ms; a busy machine with one core needs this long. */
const START_LIMIT_MS = 30_000;

/**
 * Runs a program for as long as this process runs: standard input is a pipe that closes when this process ends, even
 * after a crash, and then the program is ended too. So no engine survives a `kill -9` with the database open.
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

/** A running DynamoDB on this machine. */
export interface TableEngine extends Engine {
  /** The DynamoDB Streams API of the same engine. */
  streams: Engine;
  /** Stops the engine; acknowledged data is on disk. */
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

/** Number of ports that are tried until one is free. */
const PORT_TRIES = 20;

/**
 * Starts dynoxide on a free port.
 * @param file the database; in memory if absent
 * @param onLost called when it ends by itself
 * @param portAt makes a port to try
 * @throws StartError if there is no binary, or the database cannot be opened
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
  const program = findEngineProgram();
  const args = ['--port', String(port), ...(file === undefined ? [] : ['--db-path', file])];
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', program, ...args], {
    // The engine has its own process group: the terminal's Ctrl-C is for this process, which then ends the engine itself.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  // Another program may listen at the port, so the engine's own output must confirm that the engine does.
  const listening = new Promise<true>((resolve) =>
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2_000);
      if (!/listening on/i.test(output)) return;
      output = '';
      resolve(true);
    }),
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = new Promise<false>((resolve) => child.once('exit', () => resolve(false)));
  let isStopping = false;
  const end = async (): Promise<void> => {
    isStopping = true;
    child.stdin.destroy();
    await ended;
  };
  const engine = tableEngineAt(`http://127.0.0.1:${port}`, async () => {
    await end();
    // The `sleep` in the engine's supervising shell keeps its end of the pipe for up to a second longer, which would delay the
    // exit of this process.
    child.stderr.destroy();
  });
  const limit = setTimeout(() => child.stdin.destroy(), START_LIMIT_MS);
  const isListening = await Promise.race([listening, ended]);
  clearTimeout(limit);
  if (!isListening) {
    await end();
    // The last output of the engine may arrive after its process has ended.
    await Promise.race([closed, delay(2_000, undefined, { ref: false })]);
    if (/in use/i.test(output)) return 'port taken';
    throw notStarted(file, output.trim());
  }
  try {
    await callAws(engine, 'ListTables', {});
  } catch (error) {
    await engine.stop();
    throw notStarted(file, output.trim() || (error as Error).message);
  }
  if (file !== undefined) indexStream(file);
  void ended.then(() => {
    if (isStopping) return;
    child.stdin.destroy();
    onLost(`The database engine ended by itself. ${output.trim()}`);
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

/** Finds the engine's program: the installed package's, or one on the PATH. @throws StartError if there is none */
export function findEngineProgram(): string {
  const packaged = `@dynoxide/${process.platform}-${process.arch}/package.json`;
  try {
    const program = join(dirname(createRequire(import.meta.url).resolve(packaged)), 'dynoxide');
    if (existsSync(program)) return program;
  } catch {
    // There is no package for this platform, but the developer may have the program on the PATH.
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
