import { afterEach, describe, expect, test } from '@jest/globals';

import { clock } from '../../functions/kernel/clock.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { writeBatch } from '../../functions/kernel/storage/batch.ts';
import { EPOCH_COPY_MS, forgetWriters, isWriter } from '../../functions/kernel/storage/epoch.ts';
import { fence, FENCE_WAIT_MS } from '../../functions/kernel/storage/fence.ts';
import { deleteReturning, updateReturning } from '../../functions/kernel/storage/returning.ts';
import { settings } from '../../functions/kernel/settings.ts';
import { makeEnvironment } from './notes/table.ts';
import { notesService } from './notes/service.ts';

const { here, there, send, create } = notesService();

/** Makes this process a deployment with an epoch, which knows nothing of what the former one knew. */
function deploy(epoch: number): void {
  process.env.GATEHOUSE_WRITER_EPOCH = String(epoch);
  forgetSettings();
  forgetWriters();
}
afterEach(() => deploy(0));

const REJECTED = { status: 503, json: { code: 'environment_fenced' }, headers: { 'retry-after': '5' } };
/** Waits by the clock. */
const advance = async (milliseconds: number): Promise<void> => clock.advance(milliseconds);

test.each([
  [{}, 0, true],
  [{ writerEpoch: 0 }, 0, true],
  [{ writerEpoch: 1 }, 1, true],
  [{ writerEpoch: 1 }, 0, false],
  [{}, 1, false],
  [{ writerEpoch: 2 }, 1, false],
  [{ writerEpoch: 1, fencedAt: '2026-01-01T00:00:00.000Z' }, 1, false],
  [{ fencedAt: '2026-01-01T00:00:00.000Z' }, 0, false],
])('an environment with %j may be written by a deployment with the epoch %i: %p', (writer, own, may) => {
  expect(isWriter(writer, own)).toBe(may);
});

describe('a fence', () => {
  test('stops the former writer when its copy is older than five seconds, and not before', async () => {
    await create('before');
    clock.advance(1_000);
    const seen: number[] = [];
    await fence([here().id], 1, async () => {
      for (const step of [0, EPOCH_COPY_MS - 1_500, 500]) {
        clock.advance(step);
        seen.push((await create(`while it waits ${seen.length}`)).status);
      }
    });
    expect(seen).toEqual([201, 201, 503]);
    expect(await create('after')).toMatchObject(REJECTED);
  });

  test('rejects every write with an old epoch, changes nothing, and lets reads pass', async () => {
    const { json: note } = await create('kept');
    const { id } = note as { id: string };
    await fence([here().id], 1, advance);
    expect(await send('POST', `/notes/${id}/count`)).toMatchObject(REJECTED);
    const Key = { pk: `${here().id}#counter#x`, sk: 'record' };
    const TableName = settings().GATEHOUSE_TABLE;
    const writes = [
      () => writeBatch([{ PutRequest: { Item: Key } }]),
      () => updateReturning({ TableName, Key, UpdateExpression: 'SET a = if_not_exists(a, sk)' }),
      () => deleteReturning({ TableName, Key }),
    ];
    for (const write of writes)
      await expect(write()).rejects.toMatchObject({ declared: { code: 'environment_fenced' } });
    expect(await send('GET', `/notes/${id}`)).toMatchObject({ status: 200, json: { text: 'kept', count: 0 } });
  });

  test('leaves other environments as they are', async () => {
    await fence([here().id], 1, advance);
    expect((await send('POST', '/notes', { text: 'elsewhere' }, { key: there().key })).status).toBe(201);
  });

  test('lets the new writer write only after the longest call of the former one', async () => {
    await create('before');
    const seen: number[] = [];
    let waited = 0;
    const { moved } = await fence([here().id], 1, async (milliseconds) => {
      waited = milliseconds;
      deploy(1);
      clock.advance(milliseconds);
      seen.push((await create('too early')).status);
    });
    expect(moved).toEqual([here().id]);
    expect(seen).toEqual([503]);
    expect(waited).toBe(FENCE_WAIT_MS);
    clock.advance(EPOCH_COPY_MS);
    expect((await create('taken over')).status).toBe(201);
  });

  test('that was interrupted keeps all writers out, and continues when it runs again', async () => {
    const interrupted = fence([here().id], 1, () => Promise.reject(new Error('interrupted')));
    await expect(interrupted).rejects.toThrow('interrupted');
    for (const epoch of [0, 1]) {
      deploy(epoch);
      expect(await create('never')).toMatchObject(REJECTED);
    }
    expect(await fence([here().id], 1, advance)).toEqual({ moved: [here().id], left: [] });
    deploy(1);
    expect((await create('at last')).status).toBe(201);
  });

  test('to an epoch that is not higher, or of an environment that does not exist, changes nothing', async () => {
    await fence([here().id], 2, advance);
    const unknown = `environment_${'0'.repeat(26)}`;
    expect(await fence([here().id, unknown], 1, advance)).toEqual({ moved: [], left: [here().id, unknown] });
    deploy(2);
    expect((await create('still written')).status).toBe(201);
  });
});

test('a new environment has the epoch of its deployment', async () => {
  deploy(3);
  const { key } = await makeEnvironment();
  clock.advance(EPOCH_COPY_MS);
  expect((await send('POST', '/notes', { text: 'mine' }, { key })).status).toBe(201);
  deploy(0);
  expect((await send('POST', '/notes', { text: 'not mine' }, { key })).status).toBe(503);
});
