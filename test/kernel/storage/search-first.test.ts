import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { newId } from '../../../functions/kernel/ids.ts';
import { findPhrases, fold } from '../../../functions/kernel/search-words.ts';
import { BATCH, type BatchRequest, writeBatch } from '../../../functions/kernel/storage/batch.ts';
import { addWord, MOST_READ, searchFirst, searchWord } from '../../../functions/kernel/storage/search.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());

const makeSearched = () => ({ environmentId: newId('environment'), kind: 'user', hasPhrases: true });
type Searched = ReturnType<typeof makeSearched>;

/** Stores the phrases of names, and returns their ids. */
async function addNames(searched: Searched, names: readonly string[], words = findPhrases): Promise<string[]> {
  const ids = names.map(() => newId('user'));
  const rows = names.flatMap((name, at): BatchRequest[] =>
    words(name, '').map((word) => {
      const { params } = addWord({ ...searched, id: ids[at] ?? '' }, word, fold(name));
      return { PutRequest: { Item: params.Item ?? {} } };
    }),
  );
  for (let at = 0; at < rows.length; at += BATCH) await writeBatch(rows.slice(at, at + BATCH));
  return ids;
}

const many = (make: (n: number) => string): string[] => Array.from({ length: MOST_READ + 40 }, (_, n) => make(n));

test('a first and a last name are found in either order although both are those of more records than are read', async () => {
  const searched = makeSearched();
  await addNames(
    searched,
    many((n) => `Anna Zimmer${n}`),
  );
  await addNames(
    searched,
    many((n) => `Zora${n} Schmidt`),
  );
  const [id] = await addNames(searched, ['Anna Schmidt']);
  for (const typed of ['anna schmidt', 'Schmidt Anna', 'anna schm', 'schmidt an', 'ann schmidt']) {
    expect([typed, (await searchFirst(searched, typed, 21)).ids]).toEqual([typed, [id]]);
  }
});

test('a middle name does not hide a first and a last name', async () => {
  const searched = makeSearched();
  const [id] = await addNames(searched, ['Anna Maria Schmidt']);
  for (const typed of ['anna schmidt', 'anna maria', 'maria schmidt', 'schmidt maria anna']) {
    expect([typed, await searchFirst(searched, typed, 21)]).toEqual([typed, { ids: [id], isCut: false }]);
  }
});

test('a read that reached its limit is reported, and one that did not is whole', async () => {
  const searched = makeSearched();
  await addNames(
    searched,
    many((n) => `Anna Zimmer${n}`),
  );
  expect(await searchFirst(searched, 'zimm anna qq', 21)).toEqual({ ids: [], isCut: true });
  expect(await searchFirst(searched, 'zimmer7 anna', 2)).toMatchObject({ ids: { length: 2 }, isCut: true });
  expect(await searchFirst(searched, 'zimmer501 anna', 21)).toMatchObject({ ids: { length: 1 }, isCut: false });
  expect(await searchFirst(searched, 'zimmer', 21)).toMatchObject({ ids: { length: 21 }, isCut: true });
});

test('all records of a crowded word are found while they are fewer than are wanted, in whatever partition they are', async () => {
  const searched = makeSearched();
  const ids = await addNames(
    searched,
    Array.from({ length: 20 }, (_, n) => `p${n}@acme.example`),
    () => ['@acme.example'],
  );
  expect(await searchWord(searched, '@acme.example', 21)).toEqual({ ids: ids.toSorted(), isCut: false });
  expect(await searchWord(searched, '@acme.example', 5)).toEqual({ ids: ids.toSorted().slice(0, 5), isCut: true });
});

test.each([
  ['no word', '#'],
  ['an emoji', '🦊 🦊'],
  ['U+FFFF', '\uFFFF \uFFFF'],
  ['64 KiB', 'a'.repeat(65_536)],
  ['64 KiB of words', 'ab cd '.repeat(10_923)],
])('finds nothing for %s', async (_, typed) => {
  const searched = makeSearched();
  await addNames(searched, ['Anna Schmidt']);
  expect(await searchFirst(searched, typed, 21)).toEqual({ ids: [], isCut: false });
});
