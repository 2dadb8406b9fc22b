/** Reads an import file in chunks, several in parallel, and stores its progress. */
import {
  appendFileSync,
  createReadStream,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { settings } from '../functions/kernel/settings.ts';
import { isTransient } from '../functions/kernel/storage/faults.ts';
import { importKinds } from './import-kinds.ts';
import { importer, type LineOutcome } from '../functions/sign-in/user-management/import/importer.ts';

/** Lines passed to the importer at once, and the number of chunks in parallel. */
const CHUNK = 60;
const CHUNKS_AT_ONCE = 8;
/** Number of retries while the table rejects writes, whose waits are about two minutes in all. */
const PATIENCE = 8;
const SAVE_EVERY_MS = 1_000;
const READ_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** The progress of an import. */
export interface Progress {
  /** The position in the file before which every line is done, and the size of the file, in bytes. */
  bytes: number;
  size: number;
  /** Lines that are done, including those of earlier runs. */
  lines: number;
  /** The number of records that this run has created. */
  made: number;
  there: number;
  rejected: number;
  /** The number of lines that earlier, interrupted runs have rejected. */
  rejectedBefore: number;
}

/** The file and the environment of an import. */
export interface FileImport {
  file: string;
  environmentId: string;
  /** True if the imported records emit no events. */
  isSilent: boolean;
  /** Starts with the first line, ignoring the progress of an earlier run. */
  fromStart?: boolean;
  /** Receives the lines that an earlier run has processed, if there was one. */
  onResume?: (lines: number) => void;
  /** Runs each second, and for each rejected line. */
  onProgress?: (progress: Progress) => void;
  onRejected?: (line: number, message: string) => void;
}

/** The files next to the import file that store its progress and its rejected lines. */
export const progressFile = (file: string): string => `${file}.progress`;
export const rejectedLinesFile = (file: string): string => `${file}.refused.jsonl`;

interface Line {
  /** The number of the line, counted from 1. */
  number: number;
  content: Buffer;
  /** The position of the byte after the line. */
  end: number;
}

interface Chunk {
  kind: string;
  lines: Line[];
}

/**
 * Imports a file of JSON lines. An interrupted run continues at its stored position; later lines that it had already
 * imported are counted as existing.
 * @throws Error if the file cannot be read, or the table rejects writes for two minutes: run it again
 */
export async function importFile(job: FileImport): Promise<Progress> {
  const { file, environmentId, isSilent } = job;
  const start = job.fromStart === true ? { bytes: 0, lines: 0 } : savedPosition(job);
  if (start.lines > 0) job.onResume?.(start.lines);
  const rejectedBefore = keepRejected(rejectedLinesFile(file), start.lines);
  const progress: Progress = { ...start, size: statSync(file).size, made: 0, there: 0, rejected: 0, rejectedBefore };
  const { take } = importer(environmentId, isSilent, importKinds);
  const save = saver(job, progress);
  const inFlight: { chunk: Chunk; done: Promise<LineOutcome[]> }[] = [];
  const finishOldest = async (): Promise<void> => {
    const oldest = inFlight.shift();
    if (oldest === undefined) return;
    note(job, progress, oldest.chunk, await oldest.done);
    save(false);
  };
  for await (const chunk of readChunks(file, start)) {
    // Lines refer to records of other kinds, and resources to resources of other types, so lines of another kind wait for
    // the lines before them.
    while (
      inFlight.length >= (SINGLE.test(chunk.kind) ? 1 : CHUNKS_AT_ONCE) ||
      (inFlight[0]?.chunk.kind ?? chunk.kind) !== chunk.kind
    ) {
      await finishOldest();
    }
    const done = patiently(() => take(chunk.lines.map(({ content }) => content)));
    // A later chunk may fail while an earlier one is awaited; its error is reported when it is awaited itself.
    done.catch(() => undefined);
    inFlight.push({ chunk, done });
  }
  while (inFlight.length > 0) await finishOldest();
  save(true);
  rmSync(progressFile(file), { force: true });
  return progress;
}

function note({ file, onRejected }: FileImport, progress: Progress, chunk: Chunk, outcomes: LineOutcome[]): void {
  for (const [at, outcome] of outcomes.entries()) {
    progress[outcome.kind] += 1;
    if (outcome.kind !== 'rejected') continue;
    const line = chunk.lines[at]?.number ?? 0;
    appendFileSync(rejectedLinesFile(file), `${JSON.stringify({ line, reason: outcome.message })}\n`);
    onRejected?.(line, outcome.message);
  }
  const last = chunk.lines.at(-1);
  progress.bytes = last?.end ?? progress.bytes;
  progress.lines = last?.number ?? progress.lines;
}

/** Keeps the rejected lines before a position, since later lines are processed again. @returns their number */
function keepRejected(file: string, upTo: number): number {
  const kept = upTo > 0 && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  // The last line may be incomplete.
  const whole = kept.slice(0, -1).filter((one) => (JSON.parse(one) as { line: number }).line <= upTo);
  rmSync(file, { force: true });
  if (whole.length > 0) writeFileSync(file, `${whole.join('\n')}\n`);
  return whole.length;
}

/** The target of the import, because progress in one target does not apply to another. */
const describeTarget = ({ environmentId }: FileImport): string => `${settings().GATEHOUSE_TABLE} ${environmentId}`;

/** Stores the progress, at most each second except at the end. */
function saver(job: FileImport, progress: Progress): (isOver: boolean) => void {
  let savedAt = 0;
  return (isOver) => {
    if (!isOver && performance.now() - savedAt < SAVE_EVERY_MS) return;
    savedAt = performance.now();
    const { bytes, lines, size } = progress;
    const saved = progressFile(job.file);
    writeFileSync(`${saved}.new`, JSON.stringify({ bytes, lines, size, target: describeTarget(job) }));
    renameSync(`${saved}.new`, saved);
    job.onProgress?.(progress);
  };
}

/** The stored position of an interrupted run for the same file and environment, or the beginning of the file. */
function savedPosition(job: FileImport): { bytes: number; lines: number } {
  const nothing = { bytes: 0, lines: 0 };
  try {
    const saved = JSON.parse(readFileSync(progressFile(job.file), 'utf8')) as {
      bytes: number;
      lines: number;
      size: number;
      target: string;
    };
    const isSame = saved.size === statSync(job.file).size && saved.target === describeTarget(job);
    return isSame ? { bytes: saved.bytes, lines: saved.lines } : nothing;
  } catch {
    return nothing;
  }
}

/**
 * The kind of record on a line, found without parsing the whole line. Resources of each type are a kind of their own, since
 * resources of one type are never below each other.
 */
function readKind(line: string): string {
  const object = /"object"\s*:\s*"(\w+)"/.exec(line)?.[1] ?? 'user';
  if (object !== 'authorization_resource') return object;
  return `${object} ${/"resource_type_slug"\s*:\s*"([^"]*)"/.exec(line)?.[1] ?? ''}`;
}

/**
 * Kinds whose records all change the same rows, such as the version of the model: only one chunk of them runs at a time.
 */
const SINGLE = /^(resource_type|permission|role|role_order|organization_role|feature_flag\w*|group_role_assignment)$/;

/** Groups of successive lines of one kind. Blank lines are skipped. */
async function* readChunks(file: string, start: { bytes: number; lines: number }): AsyncGenerator<Chunk> {
  let chunk: Chunk | undefined;
  for await (const line of readLines(file, start)) {
    // Each byte becomes one character: the importer validates the encoding, and only ASCII is searched here.
    const text = line.content.toString('latin1');
    if (text.trim() === '') continue;
    const kind = readKind(text);
    if (chunk !== undefined && (chunk.lines.length === CHUNK || chunk.kind !== kind)) {
      yield chunk;
      chunk = undefined;
    }
    chunk ??= { kind, lines: [] };
    chunk.lines.push(line);
  }
  if (chunk !== undefined) yield chunk;
}

/** The lines of a file from a position on, each with the position after it. */
async function* readLines(file: string, start: { bytes: number; lines: number }): AsyncGenerator<Line> {
  let [end, number] = [start.bytes, start.lines];
  const makeLine = (bytes: Buffer): Line => {
    end += bytes.length;
    number += 1;
    return { number, content: bytes, end };
  };
  let rest = Buffer.alloc(0);
  for await (const piece of createReadStream(file, { start: start.bytes, highWaterMark: READ_BYTES })) {
    rest = Buffer.concat([rest, piece as Buffer]);
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      yield makeLine(rest.subarray(0, at + 1));
      rest = rest.subarray(at + 1);
    }
  }
  if (rest.length > 0) yield makeLine(rest);
}

/** Retries while a dependency is overloaded. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === PATIENCE || !isTransient(error)) throw error;
      await delay(500 * 2 ** (attempt - 1));
    }
  }
}
