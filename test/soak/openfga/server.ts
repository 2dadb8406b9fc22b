import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cached, cacheFolder, install, run, Skipped } from '../../clients/cache.ts';
import { findFreePort } from '../../support/free-port.ts';
import { until } from '../scenario.ts';

const module = fileURLToPath(new URL('module.txt', import.meta.url));
const START_LIMIT_MS = 30_000;
/** Maximum number of tuples in one write of OpenFGA. */
const MOST_TUPLES = 100;

/** A relationship tuple, or the check of one. */
export interface Tuple {
  user: string;
  relation: string;
  object: string;
}

/** An OpenFGA server in memory, with the three operations of the comparison. */
export interface OpenFga {
  /** Makes a store with a model and tuples. @returns its id */
  load: (model: object, tuples: readonly Tuple[]) => Promise<string>;
  check: (store: string, tuple: Tuple) => Promise<boolean>;
  /** The ids of the objects of a type, sorted. */
  listObjects: (store: string, asked: { user: string; relation: string; type: string }) => Promise<string[]>;
  /** The ids of the users of a type, sorted. */
  listUsers: (store: string, asked: { relation: string; object: string; type: string }) => Promise<string[]>;
  stop: () => Promise<void>;
}

/**
 * Builds the pinned version from the Go module proxy once, which takes some minutes at low priority. The checksum database
 * verifies it.
 * @throws Skipped if Go or the proxy is missing
 */
async function build(): Promise<string> {
  const version = await run('go', ['version']);
  if (version.code !== 0) throw new Skipped('go does not run');
  const folder = await cached('openfga', [module], async (target) => {
    const env = {
      GOMODCACHE: join(cacheFolder, 'go-modules'),
      GOCACHE: join(cacheFolder, 'go-build'),
      GOBIN: target,
      GOFLAGS: '-modcacherw -buildvcs=false',
      GOTOOLCHAIN: 'local',
      GOTELEMETRY: 'off',
      CGO_ENABLED: '0',
    };
    await install('nice', ['-n', '19', 'go', 'install', '-p', '1', readFileSync(module, 'utf8').trim()], { env });
  });
  return join(folder, 'openfga');
}

/**
 * Starts it on loopback.
 * @throws Skipped if it cannot be built
 */
export async function startOpenFga(): Promise<OpenFga> {
  const [http, grpc] = [await findFreePort(), await findFreePort()];
  const options = ['--metrics-enabled=false', '--playground-enabled=false', '--log-level', 'none'];
  const addresses = ['--http-addr', `127.0.0.1:${http}`, '--grpc-addr', `127.0.0.1:${grpc}`];
  const child = spawn(await build(), ['run', '--datastore-engine', 'memory', ...addresses, ...options], {
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const url = `http://127.0.0.1:${http}`;
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('OpenFGA responds', START_LIMIT_MS, isUp, (up) => up);
  const client = makeClient(url);
  return {
    ...client,
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function makeClient(url: string): Omit<OpenFga, 'stop'> {
  async function post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`OpenFGA ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  return {
    load: async (model, tuples) => {
      const { id } = await post<{ id: string }>('/stores', { name: 'world' });
      await post(`/stores/${id}/authorization-models`, model);
      for (let at = 0; at < tuples.length; at += MOST_TUPLES) {
        await post(`/stores/${id}/write`, { writes: { tuple_keys: tuples.slice(at, at + MOST_TUPLES) } });
      }
      return id;
    },
    check: async (store, tuple_key) =>
      (await post<{ allowed: boolean }>(`/stores/${store}/check`, { tuple_key, ...STRONG })).allowed,
    listObjects: async (store, asked) => {
      const { objects } = await post<{ objects: string[] }>(`/stores/${store}/list-objects`, { ...asked, ...STRONG });
      return objects.map((object) => object.slice(object.indexOf(':') + 1)).sort();
    },
    listUsers: async (store, { relation, object, type }) => {
      const [objectType = '', id = ''] = object.split(':', 2);
      const body = { object: { type: objectType, id }, relation, user_filters: [{ type }], ...STRONG };
      const { users } = await post<{ users: { object: { id: string } }[] }>(`/stores/${store}/list-users`, body);
      return users.map((user) => user.object.id).sort();
    },
  };
}

const STRONG = { consistency: 'HIGHER_CONSISTENCY' };
