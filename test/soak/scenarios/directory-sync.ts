import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

import type { Connection } from '../../support/connection.ts';
import { type LocalProcess, startLocalProcess } from '../local-process.ts';
import { computeLatencies, must, print, type Scenario, sideBySide, untilIdle } from '../scenario.ts';

const DEFAULT_USERS = 10_000;
const WIDTH = 8;
const PAGE = 200;
/** Time limit in ms of one call: API Gateway ends it after 30 s. */
const MOST_MS = 29_000;

/** The SCIM client of a provider, which waits when it is too fast, and measures each call by the name of its kind. */
interface Provider {
  directoryId: string;
  organizationId: string;
  send: <T>(kind: string, method: string, path: string, body?: object) => Promise<T>;
  times: Map<string, number[]>;
  /** The `scimType` of the rejection of a read. */
  findRejection: (path: string) => Promise<string | undefined>;
}

async function connectProvider({ connection }: Pick<LocalProcess, 'connection'>): Promise<Provider> {
  const create = <T>(path: string, body: object): Promise<T> => connection.demand<T>({ method: 'POST', path, body });
  const domain_data = [{ domain: 'acme.example', state: 'verified' }];
  const { id: organization_id } = await create<{ id: string }>('/organizations', { name: 'Acme', domain_data });
  const directory = { organization_id, name: 'Acme people' };
  const { id, external_key } = await create<{ id: string; external_key: string }>('/x/directories', directory);
  const { value: key } = await create<{ value: string }>(`/x/directories/${id}/tokens`, {});
  const times = new Map<string, number[]>();
  const send = async <T>(kind: string, method: string, path: string, body?: object): Promise<T> => {
    for (;;) {
      const startedAt = performance.now();
      const url = `/scim/v2.0/${external_key}${path}`;
      const { status, body: response } = await connection.send<T>({ method, path: url, key, ...(body && { body }) });
      const taken = performance.now() - startedAt;
      if (status === 429) {
        await delay(1_000);
        continue;
      }
      must(status < 300, `${kind} succeeds, not ${status}: ${JSON.stringify(response ?? '').slice(0, 300)}`);
      must(taken < MOST_MS, `${kind} takes less than ${MOST_MS} ms, not ${taken.toFixed(0)}`);
      times.set(kind, [...(times.get(kind) ?? []), taken]);
      return response;
    }
  };
  const findRejection = async (path: string): Promise<string | undefined> => {
    const sent = { method: 'GET', path: `/scim/v2.0/${external_key}${path}`, key };
    return (await connection.send<{ scimType?: string }>(sent)).body.scimType;
  };
  return { directoryId: id, organizationId: organization_id, send, times, findRejection };
}

interface List {
  totalResults: number;
  nextCursor?: string;
  Resources: { id: string }[];
}

const newUser = (at: number): object => ({
  userName: `user-${at}@acme.example`,
  externalId: `e${at}`,
  name: { givenName: 'Ada', familyName: `Lovelace ${at}` },
  emails: [{ value: `user-${at}@acme.example`, type: 'work', primary: true }],
  active: true,
});

const members = (ids: readonly string[]): object[] => ids.map((value) => ({ value }));
const change = (...Operations: object[]): object => ({ Operations });

/** Reads all users in both ways, and checks that each is there once. */
async function checkPages({ send }: Provider, count: number): Promise<void> {
  const byIndex = new Set<string>();
  for (let at = 1; at <= count; at += PAGE) {
    const list = await send<List>('page by index', 'GET', `/Users?startIndex=${at}&count=${PAGE}`);
    must(list.totalResults === count, `the list has ${count} users, not ${list.totalResults}`);
    for (const { id } of list.Resources) byIndex.add(id);
  }
  const byCursor = new Set<string>();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const list: List = await send<List>('page by cursor', 'GET', `/Users?cursor=${cursor}&count=${PAGE}`);
    for (const { id } of list.Resources) byCursor.add(id);
    cursor = list.nextCursor;
  }
  must(byIndex.size === count && byCursor.size === count, `both ways of paging show ${count} users`);
}

async function checkCounts(connection: Connection, { directoryId }: Provider, active: number): Promise<void> {
  const { metadata } = await connection.demand<{ metadata: { users: { active: number } } }>({
    method: 'GET',
    path: `/directories/${directoryId}`,
  });
  must(metadata.users.active === active, `the directory counts ${active} active users, not ${metadata.users.active}`);
}

async function play(count: number): Promise<void> {
  const service = await startLocalProcess();
  try {
    const provider = await connectProvider(service);
    const { send } = provider;
    const ids: string[] = [];
    await sideBySide(
      Array.from({ length: count }, (_, at) => at),
      WIDTH,
      async (at) => {
        ids.push((await send<{ id: string }>('create a user', 'POST', '/Users', newUser(at))).id);
      },
    );
    print(`${count} users are created`);
    await untilIdle(service.connection);
    print('their events are delivered');
    await checkPages(provider, count);
    const unindexed = await provider.findRejection(`/Users?filter=${encodeURIComponent('title co "x"')}`);
    must(count <= 1_000 || unindexed === 'tooMany', 'a filter without an index is rejected above 1,000 users');
    const all = { displayName: 'Everyone', members: members(ids) };
    const group = await send<{ id: string }>('create a group of all', 'POST', '/Groups', all);
    const path = `/Groups/${group.id}`;
    const countMembers = async (): Promise<number> =>
      (await send<{ members: unknown[] }>('read the group', 'GET', path)).members.length;
    must((await countMembers()) === count, `the group has ${count} members`);
    const tenth = ids.slice(0, count / 10);
    await sideBySide(tenth, WIDTH, (id) =>
      send('change a user', 'PATCH', `/Users/${id}`, change({ op: 'replace', path: 'title', value: 'Analyst' })),
    );
    const half = ids.slice(0, count / 2);
    const removal = change({ op: 'remove', path: 'members', value: members(half) });
    await send('remove half of the members', 'PATCH', path, removal);
    must((await countMembers()) === count - half.length, 'half of the members are left');
    await send('replace all members', 'PUT', path, { displayName: 'Everyone', members: members(half) });
    must((await countMembers()) === half.length, 'the other half are the members');
    await sideBySide(tenth, WIDTH, (id) =>
      send('deactivate a user', 'PATCH', `/Users/${id}`, change({ op: 'replace', path: 'active', value: false })),
    );
    await checkCounts(service.connection, provider, count - tenth.length);
    await send('delete the group', 'DELETE', path);
    await untilIdle(service.connection);
    for (const [kind, times] of provider.times) print(`${kind}: ${times.length} times, ${computeLatencies(times)}`);
  } finally {
    await service.stop();
  }
}

/** A provider creates 10,000 users and a group of all, pages, changes, and deactivates some: no call fails or takes longer than 29 s. */
export const directorySync: Scenario = { name: 'directory-sync', run: () => play(DEFAULT_USERS) };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { users: { type: 'string' } } });
  await play(Number(values.users ?? DEFAULT_USERS));
}
