import { createHash } from 'node:crypto';

import type * as z from 'zod';

import { listInvitationsTo } from '../../../../tenancy/modules/invitations/public.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { recipientHash } from '../../../../kernel/messages/entity.ts';
import { fitsKey } from '../../../../kernel/storage/collection.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { type Matches, MOST_READ, type Searched, searchFirst, searchWord } from '../../../../kernel/storage/search.ts';
import { PHONE_WORDS, reverse } from '../../../../kernel/storage/phone-words.ts';
import { CROWDED, matchesWords } from '../../../../kernel/search-words.ts';
import { USER_WORDS } from '../user-words/index-user.ts';
import { findUserWords, type Named } from '../user-words/rules.ts';
import { searchSettings } from '../user-words/settings.ts';
import { readRow, readTogether } from '../../../../kernel/storage/together.ts';
import { findKind, type Row, suppressedKey, UNIQUE, uniqueKey, WORDS } from './kinds.ts';
import { isSingleCharacter, MOST_HITS, type Question, type Term } from './rules.ts';
import { type Hint, type Match, presentHit, type SearchHit } from './schema.ts';

type Hit = z.output<typeof SearchHit>;

/** A record that a lookup named, to be read by its id. */
interface Pointer {
  id: string;
  match: Match;
  query: string;
}

/** The hits of a search. */
export interface Found {
  hits: Hit[];
  hasMore: boolean;
  /** The text to type for records that are not found, with the reason. */
  hint: Hint | undefined;
  unmatched: string[];
}

/** The records that the lookups of a search named. */
interface LookedUp {
  pointers: Pointer[];
  /** True if rows of words were left unread. */
  isCut: boolean;
  /** True if users were not searched for the words, since the environment does not index them. */
  isWithoutUsers?: boolean;
}

/**
 * Finds the records that a question names. Ids are one wave: a BatchGetItem for each hundred rows. Addresses, domains, URLs, external ids
 * and words are looked up in one wave, and the records that they name are read in a second one. All reads are strongly
 * consistent, except the list of invitations to an address.
 */
export async function search(environmentId: string, { terms, isList }: Question): Promise<Found> {
  const { pointers: named, isCut, isWithoutUsers = false } = await lookUp(environmentId, terms, isList);
  const pointers = distinct(named).slice(0, isList ? undefined : MOST_HITS + 1);
  const read = await readHits(environmentId, pointers);
  const hits = isList ? read : read.slice(0, MOST_HITS);
  const matched = new Set(hits.map(({ query }) => query));
  const unmatched = isList ? terms.flatMap(({ text }) => (matched.has(text) ? [] : [text])) : [];
  const isFull = read.length > hits.length;
  const hint = isList
    ? undefined
    : findHint(terms[0]?.text ?? '', { isFull, isCut, isWithoutUsers: isWithoutUsers && hits.length === 0 });
  return { hits, hasMore: isFull || isCut, hint, unmatched };
}

/** The sentence that says what to type for records that are not found. */
function findHint(
  text: string,
  { isFull, isCut, isWithoutUsers }: Readonly<Record<'isFull' | 'isCut' | 'isWithoutUsers', boolean>>,
): Hint | undefined {
  if (isSingleCharacter(text)) {
    return {
      code: 'single_character',
      text: 'A single letter or digit finds only names that have it as a word. Type at least two characters.',
    };
  }
  if (isFull) {
    return {
      code: 'too_many',
      text: `There are more than ${MOST_HITS} records. Type more of the name, an address or an id.`,
    };
  }
  if (isWithoutUsers && !isCut) {
    return {
      code: 'users_not_searched',
      text: 'This environment does not search users by name. Type an address or an id, or enable it: PUT /x/search/settings with {"users": true}.',
    };
  }
  if (!isCut) return undefined;
  return {
    code: 'common_words',
    text: `Each word of the query begins words of more than ${MOST_READ} records, so some may be missing. Type whole words, an address or an id.`,
  };
}

/**
 * Finds the ids of the records that the terms name. A term that is an id is not read here; others are found by the rows of
 * unique values, and a single term also in lists.
 */
async function lookUp(environmentId: string, terms: readonly Term[], isList: boolean): Promise<LookedUp> {
  const [byValue, others] = await awaitAll([
    readTogether(() => awaitAll(terms.map((term) => findByValue(environmentId, term)))),
    // Lists are read for a single term only, so that the cost of a search has a bound.
    isList ? [] : awaitAll(terms.map((term) => findInLists(environmentId, term))),
  ]);
  return {
    pointers: [byValue, others.map(({ pointers }) => pointers)].flat(2),
    isCut: others.some(({ isCut }) => isCut),
    isWithoutUsers: others.some((each) => each.isWithoutUsers === true),
  };
}

/** The records with a unique value. It starts all its reads before it waits for one. */
async function findByValue(environmentId: string, { form, text, value }: Term): Promise<Pointer[]> {
  if (form === 'id') return [{ id: value, match: 'id', query: text }];
  const read = async (key: ReturnType<typeof uniqueKey>, attribute: string, match: Match): Promise<Pointer[]> => {
    const row: Row | undefined = await readRow(key);
    const isLive = row !== undefined && Number(row.expiresAt ?? Infinity) > clock.seconds();
    return isLive ? [{ id: String(row[attribute]), match, query: text }] : [];
  };
  const holders = (kinds: readonly string[], match: Match, of = value) =>
    fitsKey(of) ? kinds.map((kind) => read(uniqueKey(environmentId, kind, of), 'holder', match)) : [];
  const found = {
    address: () => [
      ...holders(UNIQUE.address, 'address'),
      read(suppressedKey(environmentId, recipientHash(environmentId, value)), 'suppressionId', 'address'),
    ],
    domain: () => holders(UNIQUE.domain, 'domain'),
    url: () => holders(UNIQUE.url, 'url', createHash('sha256').update(value).digest('hex')),
    phone: () => [],
    name: () => [],
  }[form]();
  return (await awaitAll([...found, ...holders(UNIQUE.name, 'external_id', text)])).flat();
}

/** The records that lists name: invitations to an address, and names with the words. */
async function findInLists(environmentId: string, { form, text, value }: Term): Promise<LookedUp> {
  if (form === 'address') {
    const invitations = await listInvitationsTo(environmentId, value, MOST_HITS);
    return { pointers: invitations.map(({ id }) => ({ id, match: 'address', query: text })), isCut: false };
  }
  if (form !== 'name' && form !== 'domain' && form !== 'phone') return { pointers: [], isCut: false };
  const [records, users, factors] = await awaitAll([
    awaitAll(WORDS.map((kind) => searchFirst({ environmentId, kind, hasFormerPlace: true }, text, MOST_NAMED))),
    findUsers(environmentId, { form, text, value }),
    form === 'phone' ? searchWord({ environmentId, kind: PHONE_WORDS }, reverse(value), MOST_NAMED) : NONE,
  ]);
  const found: [Matches, Match][] = [
    [factors, 'phone'],
    ...records.map((each): [Matches, Match] => [each, 'words']),
    [users ?? NONE, 'words'],
  ];
  return {
    pointers: found.flatMap(([{ ids }, match]) => ids.map((id) => ({ id, match, query: text }))),
    isCut: found.some(([{ isCut }]) => isCut),
    isWithoutUsers: users === undefined,
  };
}

/** Number of records that are looked up for each kind: one more than is shown. */
const MOST_NAMED = MOST_HITS + 1;
const NONE: Matches = { ids: [], isCut: false };

/** The users with the words, or with an address of the domain. @returns undefined in an environment that does not search users */
async function findUsers(environmentId: string, { form, text, value }: Term): Promise<Matches | undefined> {
  const { users: isOn } = await findSettings(environmentId, searchSettings);
  if (!isOn) return undefined;
  const users: Searched = { environmentId, kind: USER_WORDS, hasPhrases: true };
  return form === 'domain' ? searchWord(users, `${CROWDED}${value}`, MOST_NAMED) : searchFirst(users, text, MOST_NAMED);
}

/** The first pointer to each record, in their order. */
const distinct = (pointers: readonly Pointer[]): Pointer[] =>
  [...new Map(pointers.toReversed().map((pointer) => [pointer.id, pointer])).values()].toReversed();

/** Reads the records, by one BatchGetItem for each hundred; records that no longer exist are left out. */
function readHits(environmentId: string, pointers: readonly Pointer[]): Promise<Hit[]> {
  return readTogether(async () => {
    const read = await awaitAll(pointers.map((pointer) => readHit(environmentId, pointer)));
    return read.filter((hit) => hit !== undefined);
  });
}

async function readHit(environmentId: string, { id, match, query }: Pointer): Promise<Hit | undefined> {
  const kind = findKind(id);
  if (kind === undefined) return undefined;
  const row: Row | undefined = await readRow(kind.key(environmentId, id));
  // The row of a session's user has a key of the stage, so its environment is compared.
  if (row?.__edb_e__ !== kind.entity || row.environmentId !== environmentId) return undefined;
  // The words of a user follow a change within moments.
  if (match === 'words' && kind.kind === 'user' && !hasWords(row, query)) return undefined;
  return Number(row.expiresAt ?? Infinity) > clock.seconds() ? presentHit(kind, row, { match, query }) : undefined;
}

/** Reports whether a user still has the words of a query, or an address of its domain. */
function hasWords(row: Row, query: string): boolean {
  const { words, text } = findUserWords(row as unknown as Named);
  return words.includes(`${CROWDED}${query.replace(/^@/, '').toLowerCase()}`) || matchesWords(text, query);
}
