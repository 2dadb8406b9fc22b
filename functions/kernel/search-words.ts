import { cutText } from './text.ts';

/** Maximum searchable words of a text: more would not fit into one transaction with the record's other writes. */
const MAX_WORDS = 12;
const MAX_WORD_LENGTH = 64;

/** The sign before a word that many records share, such as the domain of their mail addresses. */
export const CROWDED = '@';

/** A normalized text for comparison: without case and accents, so that "Économie" is found by "eco". */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The words of a text, normalized, each once. */
export const splitWords = (text: string): string[] =>
  [...new Set(fold(text).split(/[^\p{L}\p{N}]+/u))]
    .filter((word) => word !== '')
    .map((word) => cutText(word, 0, MAX_WORD_LENGTH));

/**
 * Maximum words of a query. Each is a part of an expression of DynamoDB, which has at most 300 operators and 4 KB; no stored
 * text has as many words.
 */
const MOST_ASKED = 32;
export const TOO_MANY_WORDS = `has more than ${MOST_ASKED} words`;

/** Reports whether a query has no more words than a search accepts. */
export const hasFewWords = (question: string): boolean => splitWords(question).length <= MOST_ASKED;

/** The words of a text that are stored: the first {@link MAX_WORDS}. */
export const findWords = (text: string): string[] => splitWords(text).slice(0, MAX_WORDS);

/** Maximum characters of a stored phrase. */
const MAX_PHRASE_LENGTH = 128;

/**
 * The words of a name and of other text about the same record, each followed by the words after it and then by those before it: "ada
 * lovelace" and "lovelace ada". So a query of two words, in either order, is the beginning of a phrase if its first word is whole.
 * @returns at most {@link MAX_WORDS} phrases, each with another first word
 */
export function findPhrases(name: string, other: string): string[] {
  const [named, others] = [splitWords(name), splitWords(other)];
  const phrase = (words: readonly string[], at: number): string =>
    cutText([...words.slice(at), ...words.slice(0, at)].join(' '), 0, MAX_PHRASE_LENGTH);
  const further = others.flatMap((word, at) => (named.includes(word) ? [] : [phrase(others, at)]));
  return [...named.map((_, at) => phrase(named, at)), ...further].slice(0, MAX_WORDS);
}

/** Reports whether a text has a word beginning with each word of a query. */
export function matchesWords(text: string, question: string): boolean {
  const words = splitWords(text);
  return splitWords(question).every((prefix) => words.some((word) => word.startsWith(prefix)));
}
