import { choosePartitionIn, listPartitions, type Partitionings } from '../partitions.ts';
import { CROWDED } from '../search-words.ts';

/** The first characters of words that are sorted by two of them. All other characters are a partition of their own. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const isLetter = (character: string | undefined): boolean => character !== undefined && LETTERS.includes(character);

/** The partitions of crowded words. A partition accepts 1,000 write units a second, and a search reads all of them. */
const PARTITIONINGS: Partitionings = [{ since: 0, partitions: 8 }];

/**
 * The place of a word's row: the kind of record with the first two characters of the word, or with one of eight shards by the
 * record's id if the word is a crowded one.
 */
export function placeWord(kind: string, word: string, id: string): string {
  if (word.startsWith(CROWDED)) return `${kind}#${CROWDED}${choosePartitionIn(PARTITIONINGS, id)}`;
  const [first = '', second] = [...word];
  return `${kind}#${first}${isLetter(first) && isLetter(second) ? second : ''}`;
}

/** The places of all words that begin with a text of at least two characters: one, or eight for a crowded word. */
export const listFullPlaces = (kind: string, start: string): string[] =>
  start.startsWith(CROWDED)
    ? listPartitions(PARTITIONINGS).map((each) => `${kind}#${CROWDED}${each}`)
    : [placeWord(kind, start, '')];

/** Reports whether words that begin with a text are in many partitions: the text is a single letter or digit. */
export function isSpread(start: string): boolean {
  const [first, second] = [...start];
  return isLetter(first) && second === undefined;
}

/** The places of all words that begin with a text: one, or 37 for a single letter. */
export const listPlaces = (kind: string, start: string): string[] =>
  isSpread(start)
    ? [`${kind}#${start}`, ...LETTERS.map((letter) => `${kind}#${start}${letter}`)]
    : listFullPlaces(kind, start);
