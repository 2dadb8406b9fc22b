import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cached, cacheFolder, install, run, Skipped } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const OLDEST_GO = 23;

/** The Go client, from the module proxy. */
export const go: Client = {
  name: 'go',
  title: 'Go, workos-go 6.5.0',
  prepare: async () => {
    const { output } = await run('go', ['env', 'GOVERSION']);
    const minor = Number(/go1\.(\d+)/.exec(output)?.[1]);
    if (!(minor >= OLDEST_GO)) throw new Skipped(`${output.trim()} is older than 1.${OLDEST_GO}`);
    // The environment variables of Go: no toolchain is downloaded, and modules stay writable, so that the cache can be
    // removed.
    const env = {
      GOMODCACHE: join(cacheFolder, 'go-modules'),
      GOCACHE: join(cacheFolder, 'go-build'),
      GOFLAGS: '-modcacherw -buildvcs=false',
      GOTOOLCHAIN: 'local',
      GOTELEMETRY: 'off',
    };
    const pins = ['go.mod', 'go.sum'].map((name) => join(folder, name));
    await cached('go-downloaded', pins, async () => {
      await install('go', ['mod', 'download'], { cwd: folder, env });
    });
    const sources = ['steps', 'accounts', 'sign_in', 'data'].map((name) => join(folder, `${name}.go`));
    const built = await cached('go', [...pins, ...sources], async (target) => {
      const { code, output } = await run('go', ['build', '-o', target, '.'], { cwd: folder, env });
      if (code !== 0) throw new Error(output);
    });
    return { command: join(built, 'clients'), args: [] };
  },
};
