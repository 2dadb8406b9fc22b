import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { makeEvent } from '../kernel/http/calls.ts';
import type { InstanceResponse, Asked } from './instance.ts';
import { type Service, service } from './service.ts';

/** An instance of a function in a separate process, on the running service's table. */
export interface Instance {
  call: <T>(method: string, path: string, body?: object) => Promise<{ status: number; body: T }>;
  stop: () => void;
}

/** The service to whose table an instance belongs. */
type Place = Pick<Service, 'apiKey' | 'variables'>;

/**
 * Starts instances of an area's HTTP function, each with empty caches, which only its own requests fill. It is not for a
 * test that resets the service afterwards, because a real table is never emptied.
 * @param place The service of this worker if absent
 */
export async function startInstances(area: string, count: number, place?: Place): Promise<Instance[]> {
  const found = place ?? (await service());
  return Promise.all(Array.from({ length: count }, () => startInstance(area, found)));
}

async function startInstance(area: string, { apiKey, variables }: Place): Promise<Instance> {
  const child = fork(fileURLToPath(new URL('instance.ts', import.meta.url)), [area], {
    env: { ...process.env, ...variables, NODE_OPTIONS: '', GATEHOUSE_LOG_LEVEL: 'silent' },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await Promise.race([once(child, 'message'), once(child, 'exit').then(([code]) => fail(area, code))]);
  return { call: caller(child, area, apiKey), stop: () => child.disconnect() };
}

function fail(area: string, code: unknown): never {
  throw new Error(`An instance of ${area} ended with ${String(code)}`);
}

function caller(child: ChildProcess, area: string, apiKey: string): Instance['call'] {
  let asked = 0;
  const waiting = new Map<
    number,
    { resolve: (response: InstanceResponse) => void; reject: (error: unknown) => void }
  >();
  child.on('message', (response: InstanceResponse) => waiting.get(response.at)?.resolve(response));
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`An instance of ${area} ended with ${String(code)}`));
  });
  return async <T>(method: string, path: string, body?: object) => {
    const at = (asked += 1);
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const event = makeEvent(method, path, { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const response = await new Promise<InstanceResponse>((resolve, reject) => {
      waiting.set(at, { resolve, reject });
      child.send({ at, event } satisfies Asked);
    });
    waiting.delete(at);
    return { status: response.status, body: response.body as T };
  };
}
