import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { addWord, indexText, moveWords, searchIds } from '../../../functions/kernel/storage/search.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import type { Write } from '../../../functions/kernel/storage/write.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';
import { rowsIn } from '../notes/table.ts';

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());

const KIND = 'organization';

async function commit(environmentId: string, writes: readonly Write[]): Promise<boolean> {
  const unit = new Unit(environmentId, systemActor);
  unit.stage(writes);
  return (await unit.commit()).kind === 'committed';
}

/** A record whose words are where an earlier release has stored them: in one partition of the kind. */
async function addFormer(environmentId: string, name: string) {
  const record = { environmentId, kind: KIND, id: newId('org') };
  const writes = name
    .toLowerCase()
    .split(' ')
    .map((word) => {
      const { params, ...write } = addWord(record, word, name.toLowerCase());
      const Item = { ...params.Item, kind: KIND, pk: `${environmentId}#search#${KIND}` };
      return { ...write, params: { ...params, Item } };
    });
  expect(await commit(environmentId, writes)).toBe(true);
  return record;
}

const listPartitions = async (environmentId: string): Promise<string[]> =>
  (await rowsIn(environmentId)).map(({ pk }) => String(pk).split('#search#')[1] ?? '').sort();

test('words of an earlier release are found before they are moved and after, and only in their partitions then', async () => {
  const environmentId = newId('environment');
  const { id } = await addFormer(environmentId, 'Acme Works');
  expect(await searchIds(environmentId, KIND, 'acme wo')).toEqual([id]);
  expect(await moveWords(environmentId, KIND, (writes) => commit(environmentId, writes))).toBe(2);
  expect(await listPartitions(environmentId)).toEqual(['organization#ac', 'organization#wo']);
  for (const typed of ['acme wo', 'works', 'a', 'w']) expect(await searchIds(environmentId, KIND, typed)).toEqual([id]);
  expect(await moveWords(environmentId, KIND, (writes) => commit(environmentId, writes))).toBe(0);
});

test('a record that is renamed or removed while its words are moved is not found by its former name', async () => {
  const environmentId = newId('environment');
  const renamed = await addFormer(environmentId, 'Acme');
  const removed = await addFormer(environmentId, 'Achilles');
  const moved = await moveWords(environmentId, KIND, async (writes) => {
    // The changes are committed after the rows were read, and before they are moved.
    await commit(environmentId, indexText(renamed, 'Acme', 'Zenith'));
    await commit(environmentId, indexText(removed, 'Achilles', ''));
    return commit(environmentId, writes);
  });
  expect(moved).toBe(0);
  expect(await searchIds(environmentId, KIND, 'ac')).toEqual([]);
  expect(await searchIds(environmentId, KIND, 'zenith')).toEqual([renamed.id]);
  expect(await listPartitions(environmentId)).toEqual(['organization#ze']);
});

test('a change of a record whose words are not moved yet moves them', async () => {
  const environmentId = newId('environment');
  const record = await addFormer(environmentId, 'Acme Works');
  await commit(environmentId, indexText(record, 'Acme Works', 'Acme Labs'));
  expect(await listPartitions(environmentId)).toEqual(['organization#ac', 'organization#la']);
  expect(await searchIds(environmentId, KIND, 'works')).toEqual([]);
});
