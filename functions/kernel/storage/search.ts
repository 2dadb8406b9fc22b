import { awaitAll, mapConcurrently } from '../concurrency.ts';
import { collection } from './collection.ts';
import { entity, type RecordOf } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes } from './record.ts';
import { isSpread, listFullPlaces, listPlaces, placeWord } from './search-places.ts';
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

/** A read of the rows whose word begins with a text, in one partition. */
interface Read {
  place: string;
  start: string;
  /** Maximum rows that are read. */
  limit: number;
  /** Words that the text of a returned row contains; rows without them are read and left out by the table. */
  with?: readonly string[];
}

/** The rows of a read, in the order of their words. */
interface Page {
  rows: Pick<TokenRecord, 'id' | 'word' | 'text'>[];
  /** True if the limit left rows unread. */
  isCut: boolean;
}

/** The last character, after which no word continues. */
const LAST = '\u{10FFFF}';

async function readRows(environmentId: string, { place, start, limit, with: words = [] }: Read): Promise<Page> {
  // A range from the text to the last text that begins with it, and not `begins`: for that the local engine reads all rows before it too.
  const query = tokens
    .entity()
    .query.primary({ environmentId, kind: place })
    .between({ word: start }, { word: `${start}${LAST}` });
  const asked = words.reduce((all, word) => all.where(({ text }, { contains }) => contains(text, word)), query);
  const { data, cursor } = await asked.go({ consistent: true, limit, attributes: ['id', 'word', 'text'] });
  return { rows: data, isCut: cursor !== null };
}

/**
 * Ids of the records that have a word beginning with each word of the query, strongly consistent, by parallel reads of at most
 * {@link MAX_ROWS} rows. If more rows match a short prefix, only the first of them are found.
 */
export async function searchIds(environmentId: string, kind: string, question: string): Promise<string[]> {
  const asked = splitWords(question);
  const longest = sortByLength(asked)[0];
  if (longest === undefined) return [];
  // The last place is that of rows of an earlier release, until the command has moved them.
  const places = [...listPlaces(kind, longest), kind];
  const limit = Math.ceil(MAX_ROWS / (places.length - 1));
  const others = asked.filter((word) => word !== longest);
  const pages = await awaitAll(
    places.map((place) => readRows(environmentId, { place, start: longest, limit, with: others })),
  );
  const matching = pages.flatMap(({ rows }) => rows.filter(({ text }) => matchesWords(text, question)));
  return [...new Set(matching.map(({ id }) => id))];
}

const sortByLength = (words: readonly string[]): string[] => words.toSorted((one, other) => other.length - one.length);

/** Rows that are read for each record that is wanted, since several words of a record can begin with the same text. */
const ROWS_PER_RECORD = 2;
/** Maximum rows of a word that are read for a query of several words. */
export const MOST_READ = 500;
/** Number of words of a query that are looked up: the longest. Further words are compared with the text of the rows. */
const LOOKED_UP = 2;

/** The first records that have the words of a query. */
export interface Matches {
  ids: string[];
  /** True if there may be more records: rows with a word of the query were left unread. */
  isCut: boolean;
}

/** A kind of records that is searched. */
export interface Searched {
  environmentId: string;
  kind: string;
  /** True if the stored words are phrases ({@link findPhrases}). */
  hasPhrases?: boolean;
  /** True if an earlier release has stored words of the kind in one partition. */
  hasFormerPlace?: boolean;
}

/**
 * Finds the first records that have a word beginning with each word of a query, in the order of the word and of their creation, by one
 * wave of strongly consistent reads. One word costs at most two rows for each record that is wanted. Of several words, at most
 * {@link MOST_READ} rows are read for each of the two longest, of which the table returns those that contain the others; the result is whole
 * if the rows of one of them were read to their end. A phrase is found whatever the number of its words' rows is.
 * A single letter or digit finds only words that consist of it.
 */
export async function searchFirst(searched: Searched, question: string, most: number): Promise<Matches> {
  const asked = splitWords(question);
  const spread = asked.every((word) => isSpread(word));
  const looked = sortByLength(asked.filter((word) => spread || !isSpread(word))).slice(0, LOOKED_UP);
  const limit = asked.length === 1 ? most * ROWS_PER_RECORD : MOST_READ;
  const readWord = async (start: string): Promise<Page> => {
    const rest = asked.filter((word) => word !== start);
    const found = await readPlaces(searched, { start, limit, with: rest });
    const isOwn = ({ word }: { word: string }) => !isSpread(start) || word === start || word.startsWith(`${start} `);
    return { ...found, rows: found.rows.filter((row) => isOwn(row) && matchesWords(row.text, question)) };
  };
  const readPhrase = (start: string): Promise<Page> => readPlaces(searched, { start, limit: most * ROWS_PER_RECORD });
  const [phrases, words] = await awaitAll([
    awaitAll(searched.hasPhrases === true ? pairWords(looked).map((start) => readPhrase(start)) : []),
    awaitAll(looked.map((start) => readWord(start))),
  ]);
  const whole = words.find(({ isCut }) => !isCut);
  const rows = whole === undefined ? [...phrases, ...words].flatMap((page) => page.rows) : whole.rows;
  const matching = rows.filter(({ text }) => matchesWords(text, question));
  return pickFirst(matching, whole === undefined && looked.length > 0, most);
}

/** Both orders of two words. */
const pairWords = ([one, other]: readonly string[]): string[] =>
  one === undefined || other === undefined ? [] : [`${one} ${other}`, `${other} ${one}`];

/** Finds the first records that have a stored word beginning with a text, which is not split. */
export async function searchWord(searched: Searched, start: string, most: number): Promise<Matches> {
  const { rows, isCut } = await readPlaces(searched, { start, limit: most * ROWS_PER_RECORD });
  return pickFirst(rows, isCut, most);
}

/** Reads the rows of a word in all places in which they can be. */
async function readPlaces(
  { environmentId, kind, hasFormerPlace = false }: Searched,
  read: Omit<Read, 'place'>,
): Promise<Page> {
  const places = [...listFullPlaces(kind, read.start), ...(hasFormerPlace ? [kind] : [])];
  const pages = await awaitAll(places.map((place) => readRows(environmentId, { ...read, place })));
  return { rows: pages.flatMap(({ rows }) => rows), isCut: pages.some(({ isCut }) => isCut) };
}

/** The first records of rows: those with the first word, and among these the oldest. */
function pickFirst(rows: Page['rows'], isCut: boolean, most: number): Matches {
  const keyOf = ({ word, id }: Page['rows'][number]): string => `${word}#${id}`;
  const sorted = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const ids = [...new Set(sorted.map(({ id }) => id))];
  return { ids: ids.slice(0, most), isCut: isCut || ids.length > most };
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
    const done = await mapConcurrently(page.data, WIDTH, (row) => commit(moveRow(row)));
    moved += done.filter(Boolean).length;
    cursor = page.cursor;
  } while (cursor !== null);
  return moved;
}

/** The former row is removed only in the state that was read, so that no word of a former name is written after the name has changed. */
function moveRow(row: TokenRecord): Write[] {
  const { environmentId, kind, id, owner, word, text } = row;
  return [tokens.remove(row), addWord({ environmentId, kind, id, owner }, word, text)];
}
