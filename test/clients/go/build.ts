import { join } from 'node:path';

import { cached, cacheFolder, install, run, Skipped } from '../cache.ts';
import type { Command } from '../client.ts';

/** A Go program with flows of a client. */
interface GoProgram {
  /** The name of the program's folder in the cache. */
  name: string;
  /** The folder of its `go.mod`, `go.sum` and sources. */
  folder: string;
  /** The names of the program's source files, without `.go`. */
  sources: readonly string[];
  /** The minor version of the oldest Go 1 that compiles it. */
  oldest: number;
}

/**
 * The environment variables of Go: no toolchain is downloaded, and modules stay writable, so that the cache can be removed.
 */
export const GO_VARIABLES = {
  GOMODCACHE: join(cacheFolder, 'go-modules'),
  GOCACHE: join(cacheFolder, 'go-build'),
  GOFLAGS: '-modcacherw -buildvcs=false',
  GOTOOLCHAIN: 'local',
  GOTELEMETRY: 'off',
} as const;

/**
 * Downloads the pinned modules of a Go program, once for each content of its `go.mod` and `go.sum`.
 * @throws {Skipped} if Go is missing or too old, or the modules cannot be downloaded
 */
export async function downloadModules({ name, folder, oldest }: Omit<GoProgram, 'sources'>): Promise<string[]> {
  const { output } = await run('go', ['env', 'GOVERSION']);
  const minor = Number(/go1\.(\d+)/.exec(output)?.[1]);
  if (!(minor >= oldest)) throw new Skipped(`${output.trim()} is older than 1.${oldest}`);
  const pins = ['go.mod', 'go.sum'].map((file) => join(folder, file));
  await cached(`${name}-downloaded`, pins, async () => {
    await install('go', ['mod', 'download'], { cwd: folder, env: GO_VARIABLES });
  });
  return pins;
}

/**
 * Downloads the pinned modules of a Go program and compiles it, once for each content of its files.
 * @throws {Skipped} if Go is missing or too old, or the modules cannot be downloaded
 */
export async function buildGo({ name, folder, sources, oldest }: GoProgram): Promise<Command> {
  const pins = await downloadModules({ name, folder, oldest });
  const built = await cached(name, [...pins, ...sources.map((file) => join(folder, `${file}.go`))], async (target) => {
    const { code, output } = await run('go', ['build', '-o', join(target, 'clients'), '.'], {
      cwd: folder,
      env: GO_VARIABLES,
    });
    if (code !== 0) throw new Error(output);
  });
  return { command: join(built, 'clients'), args: [] };
}
