import { beforeAll, expect, test } from '@jest/globals';

import { deleteEnvironment } from '../../../bin/environment-deletion.ts';
import { listRemaining, loadSchemas } from '../../support/remaining-kinds.ts';
import { advance, call, idle, now, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { callOperations } from './operations.ts';
import * as organizations from './organizations.ts';
import * as signIns from './sign-ins.ts';
import { dumpKeys, dumpObjects, dumpRows, findMentions, findUnexpected, listKinds, readKind } from './rows.ts';

/**
 * One record of every kind, made by the operations and workers that make it in production. Then the owners of each kind are deleted
 * in turn, by their operation; what still names them must be in the tables of `functions/stage/erasure/README.md`.
 */

let environmentId: string;
const made = new Set<string>();
const noteKinds = async (): Promise<void> => (await listKinds()).forEach((kind) => made.add(kind));

const SCENES = [...Object.values(signIns), ...Object.values(organizations)];

beforeAll(async () => {
  await reset({ calm: true });
  environmentId = await environment();
  await call('POST', '/user_management/redirect_uris', { uri: 'https://app.example.com/callback' });
  for (const scene of SCENES) {
    await scene();
    await noteKinds();
  }
  await callOperations(environmentId);
  await idle();
  await noteKinds();
}, 120_000);

const seconds = async (): Promise<number> => Math.floor((await now()) / 1_000);

/** Lets all work be done that follows a deletion: at once, in its second run, and hourly. */
async function settle(): Promise<void> {
  for (const time of [0, 701, 3_600]) {
    await advance(time);
    await idle();
    await noteKinds();
  }
}

test.each([
  ['resource', 'authorization-resource', (id: string) => `/authorization/resources/${id}?cascade_delete=true`],
  ['connection', 'connection', (id: string) => `/connections/${id}`],
  ['directory', 'directory', (id: string) => `/directories/${id}`],
  ['user', 'user', (id: string) => `/user_management/users/${id}`],
  ['organization', 'organization', (id: string) => `/organizations/${id}`],
])('the deletion of a %s leaves only what expires or what the README names', async (name, kind, makePath) => {
  const own = (await dumpRows()).filter((row) => readKind(row) === kind && row.environmentId === environmentId);
  const ids = own.map(({ id }) => String(id));
  expect(ids.length).toBeGreaterThan(5);
  for (const id of ids) expect([204, 202, 200]).toContain((await call('DELETE', makePath(id))).status);
  await settle();
  const permitted = listRemaining().filter(({ names = name }) => names === name);
  expect(findUnexpected(findMentions(await dumpRows(), ids), permitted, await seconds())).toEqual([]);
  expect((await dumpObjects('audit')).filter((key) => ids.some((id) => key.includes(id)))).toEqual([]);
});

test('the deletion of an environment leaves only what expires', async () => {
  expect(findMentions(await dumpRows(), [environmentId]).map(readKind)).toContain('flag');
  await deleteEnvironment(environmentId);
  const permitted = listRemaining().filter(
    ({ kind, names = 'environment' }) => names === 'environment' && kind !== 'environment',
  );
  const own = findMentions(await dumpRows(), [environmentId]);
  expect(findUnexpected(own, permitted, await seconds())).toEqual([]);
  // Marks of destroyed keys, without a key.
  const marks = findMentions(await dumpKeys(), [environmentId]);
  expect(marks.filter(({ destroyedAt }) => destroyedAt === undefined)).toEqual([]);
  expect(marks.filter(({ wrappedKey }) => wrappedKey !== undefined)).toEqual([]);
  expect((await dumpObjects('audit')).filter((key) => key.includes(environmentId))).toEqual([]);
});

test('nothing works for a deleted environment, and after the longest time of the README nothing of it is left', async () => {
  const days = listRemaining().map((each) => each.days ?? 0);
  await settle();
  // Retries of deliveries that were due are dropped when they leave their queue, quarters of an hour later.
  await advance(Math.max(...days) * 86_400 + 1);
  await idle();
  const { body } = await call<{ queues: object }>('GET', '/_local/idle', undefined, { apiKey: null });
  expect(body.queues).toEqual({ ready: 0, held: 0, failed: 0, delayed: 0 });
  expect(findMentions(await dumpRows(), [environmentId])).toEqual([]);
});

test('the records of this test were of every kind', async () => {
  const known = (await loadSchemas()).map(({ model }) => model.entity);
  expect(known.filter((kind) => !made.has(kind))).toEqual([]);
});
