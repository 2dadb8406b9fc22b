import { collection } from './collection.ts';
import { entity, type RecordOf } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes } from './record.ts';
import { listPlaces, placeWord } from './search-places.ts';
import { findWords, fold, matchesWords, splitWords } from '../search-words.ts';
import { unguarded, type Write } from './write.ts';

/**
 * The index for searches by word prefix: one row for each word of a record's text, sorted by word, in a partition for the
 * beginning of the word ({@link placeWord}). A search reads the partition of the longest word of the query; further words are
 * compared with the text in the row.
 */
const TokenEntity = entity({
  model: model('search-token'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The place of the row: the kind of record with the beginning of the word, or only the kind in a row of an earlier release. */
    kind: { type: 'string', required: true, readOnly: true },
    word: { type: 'string', required: true, readOnly: true },
    /** The record's whole text, normalized. */
    text: { type: 'string', required: true },
  },
  indexes: {
    primary: {
      pk: {
        field: 'pk',
        composite: ['environmentId', 'kind'],
        template: '${environmentId}#search#${kind}',
        casing: 'none',
      },
      sk: { field: 'sk', composite: ['word', 'id'], template: '${word}#${id}', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

type TokenRecord = RecordOf<typeof TokenEntity>;

const tokens = collection(TokenEntity, 'internal');

/** Maximum rows that one search reads, over all partitions that it needs. */
const MAX_ROWS = 2_000;

/** A searchable record. */
export interface Searchable {
  environmentId: string;
  kind: string;
  id: string;
  /** The owner that the rows are erased with. */
  owner?: string | undefined;
}

/** The write that adds a word of a record, or replaces the text in its row. */
export const addWord = ({ kind, ...record }: Searchable, word: string, text: string): Write =>
  unguarded(tokens.create({ ...record, kind: placeWord(kind, word, record.id), word, text }).write);

/** The write that removes a word of a record. */
export const removeWord = ({ environmentId, kind, id }: Searchable, word: string): Write =>
  tokens.removeByKey({ environmentId, kind: placeWord(kind, word, id), word, id });

/**
 * The writes that replace the words of a record's former text by those of its new one. Those of an earlier release, which has one
 * partition for each kind, are removed.
 */
export function indexText(record: Searchable, former: string, next: string): Write[] {
  if (former === next) return [];
  const kept = findWords(next);
  const known = findWords(former);
  const { environmentId, kind, id } = record;
  return [
    ...kept.map((word) => addWord(record, word, fold(next))),
    ...known.filter((word) => !kept.includes(word)).map((word) => removeWord(record, word)),
    ...known.map((word) => tokens.removeByKey({ environmentId, kind, word, id })),
  ];
}

/** Rows whose word begins with a text, in one partition, strongly consistent. */
async function readRows(environmentId: string, place: string, start: string, limit: number): Promise<TokenRecord[]> {
  const query = tokens.entity().query.primary({ environmentId, kind: place }).begins({ word: start });
  return (await query.go({ consistent: true, limit })).data;
}

/**
 * Ids of the records that have a word beginning with each word of the query, strongly consistent, by parallel reads of at most
 * {@link MAX_ROWS} rows. If more rows match a short prefix, only the first of them are found.
 */
export async function searchIds(environmentId: string, kind: string, question: string): Promise<string[]> {
  const asked = splitWords(question);
  const longest = asked.toSorted((one, other) => other.length - one.length)[0];
  if (longest === undefined) return [];
  const found = await searchRows(environmentId, kind, longest, MAX_ROWS);
  const matching = found.filter(({ text }) => matchesWords(text, question));
  return [...new Set(matching.map(({ id }) => id))];
}

/** Ids of the records that have a stored word beginning with the text, at most a number of them. */
export async function searchWord(environmentId: string, kind: string, start: string, most: number): Promise<string[]> {
  const found = await searchRows(environmentId, kind, start, most);
  return [...new Set(found.map(({ id }) => id))];
}

async function searchRows(environmentId: string, kind: string, start: string, most: number): Promise<TokenRecord[]> {
  // The last place is that of rows of an earlier release, until the command has moved them.
  const places = [...listPlaces(kind, start), kind];
  const limit = Math.max(1, Math.ceil(most / Math.max(1, places.length - 1)));
  const pages = await Promise.all(places.map((place) => readRows(environmentId, place, start, limit)));
  return pages.flat();
}

/** Number of rows that are moved at a time. */
const MOVED = 100;
const WIDTH = 10;

/**
 * Moves the rows of a kind that an earlier release has stored in one partition to the partitions of their words. It may stop at any
 * time and run again. A row that a call removes in the same moment stays removed.
 * @param commit commits the writes of one row together, unless a condition fails
 * @returns the number of rows that were moved
 */
export async function moveWords(
  environmentId: string,
  kind: string,
  commit: (writes: readonly Write[]) => Promise<boolean>,
): Promise<number> {
  let moved = 0;
  let cursor: string | null = null;
  do {
    const query = tokens.entity().query.primary({ environmentId, kind });
    const page: { data: TokenRecord[]; cursor: string | null } = await query.go({
      consistent: true,
      limit: MOVED,
      cursor,
    });
    for (let at = 0; at < page.data.length; at += WIDTH) {
      const done = await Promise.all(page.data.slice(at, at + WIDTH).map((row) => commit(moveRow(row))));
      moved += done.filter(Boolean).length;
    }
    cursor = page.cursor;
  } while (cursor !== null);
  return moved;
}

/** The former row is removed only in the state that was read, so that no word of a former name is written after the name has changed. */
function moveRow(row: TokenRecord): Write[] {
  const { environmentId, kind, id, owner, word, text } = row;
  return [tokens.remove(row), addWord({ environmentId, kind, id, owner }, word, text)];
}
