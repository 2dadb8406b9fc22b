import { afterEach, expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const undo: (() => unknown)[] = [];

/** Registers a function that is called when the test ends. Several are called in reverse order. */
export const atEnd = (one: () => unknown): void => void undo.push(one);

afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

/** A data folder of the test's own. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'local-'));
  atEnd(() => rmSync(path, { recursive: true }));
  return path;
}

/** The options of an AWS client for a local server. */
export const clientOptions = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 2,
});

/** Expects an AWS error by its name, as the client shows it. */
export const fails = (call: Promise<unknown>, name: string): Promise<void> =>
  expect(call).rejects.toMatchObject({ name });

/** Runs code in a separate process that prints its URL when it is ready. */
export async function startProcess(code: string, dataFolder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, dataFolder]);
  atEnd(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

/** Waits until a condition is true, up to five seconds. */
export async function until(isReached: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  do {
    if (performance.now() > deadline) throw new Error(`not within half a minute: ${isReached.toString()}`);
    // The function also waits before the first check, so that work that the caller has just started has begun.
    await new Promise((resolve) => setTimeout(resolve, 1));
  } while (!isReached());
}
