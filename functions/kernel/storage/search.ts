import { collection } from './collection.ts';
import { entity } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes } from './record.ts';
import { unguarded, type Write } from './write.ts';
import { cutText } from '../text.ts';

/**
 * The index for searches by word prefix: one row for each word of a record's text, in one partition for each kind of
 * record, sorted by word. A search is one Query by the longest word of the query; further words are compared with the text
 * in the row.
 */
const TokenEntity = entity({
  model: model('search-token'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
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

const tokens = collection(TokenEntity, 'internal');

/** Maximum searchable words of a text: more would not fit into one transaction with the record's other writes. */
const MAX_WORDS = 12;
const MAX_WORD_LENGTH = 64;
/** Maximum rows that one search reads. */
const MAX_ROWS = 2_000;

/** A normalized text for comparison: without case and accents, so that "Économie" is found by "eco". */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

const splitWords = (text: string): string[] =>
  [...new Set(fold(text).split(/[^\p{L}\p{N}]+/u))]
    .filter((word) => word !== '')
    .map((word) => cutText(word, 0, MAX_WORD_LENGTH));

/** A searchable record. */
export interface Searchable {
  environmentId: string;
  kind: string;
  id: string;
  /** The owner that the rows are erased with. */
  owner?: string | undefined;
}

/** The writes that replace the words of a record's former text by those of its new one. */
export function indexText(record: Searchable, former: string, next: string): Write[] {
  if (former === next) return [];
  const kept = splitWords(next).slice(0, MAX_WORDS);
  const gone = splitWords(former)
    .slice(0, MAX_WORDS)
    .filter((word) => !kept.includes(word));
  return [
    ...kept.map((word) => unguarded(tokens.create({ ...record, word, text: fold(next) }).write)),
    ...gone.map((word) => tokens.removeByKey({ ...record, word })),
  ];
}

/**
 * Ids of the records that have a word beginning with each word of the query, by one Query, strongly consistent, which reads
 * at most {@link MAX_ROWS} rows. If more rows match a short prefix, only the first of them are found.
 */
export async function searchIds(environmentId: string, kind: string, question: string): Promise<string[]> {
  const asked = splitWords(question);
  const longest = asked.toSorted((one, other) => other.length - one.length)[0];
  if (longest === undefined) return [];
  const { data } = await tokens
    .entity()
    .query.primary({ environmentId, kind })
    .begins({ word: longest })
    .go({ consistent: true, limit: MAX_ROWS });
  const found = data.filter(({ text }) => {
    const words = splitWords(text);
    return asked.every((prefix) => words.some((word) => word.startsWith(prefix)));
  });
  return [...new Set(found.map(({ id }) => id))];
}
