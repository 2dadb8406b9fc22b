import * as z from 'zod';

import { listSchema } from '../../../../kernel/pagination.ts';
import { hasFewWords, TOO_MANY_WORDS } from '../../../../kernel/search-words.ts';
import { KINDS, type Row, type SearchKind, VAULT_OBJECT } from './kinds.ts';
import { MOST_CHARACTERS, MOST_TERMS, readQuestion } from './rules.ts';

/** The ways in which a hit was found. */
const MATCHES = ['id', 'address', 'domain', 'url', 'phone', 'external_id', 'words'] as const;
export type Match = (typeof MATCHES)[number];

const kinds = [...new Set([...Object.values(KINDS), VAULT_OBJECT].map(({ kind }) => kind))];

export const SearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(MOST_CHARACTERS)
    .refine((text) => readQuestion(text).terms.length <= MOST_TERMS, `has more than ${MOST_TERMS} ids and addresses`)
    .refine((text) => readQuestion(text).isList || hasFewWords(text), TOO_MANY_WORDS)
    .describe(
      'An id, an email address, a domain, a URL, a phone number or its last digits, an external id or words of a name; or up to 100 ids and addresses, ' +
        'separated by blanks, commas or semicolons.',
    ),
});

export const SearchHit = z
  .object({
    object: z.literal('search_hit'),
    kind: z.enum(kinds).describe('The kind of record.'),
    id: z.string(),
    name: z.string().nullable().describe('The name of the record, or its address or URL; null if it has none.'),
    matched_by: z.enum(MATCHES).describe('The way in which the record was found.'),
    query: z.string().describe('The part of the query that found it.'),
    organization_id: z.string().nullable(),
    user_id: z.string().nullable(),
    created_at: z.string().nullable(),
  })
  .meta({ id: 'SearchHit' });

/** The reasons why a search may find too little. */
const HINT_CODES = ['single_character', 'too_many', 'users_not_searched', 'common_words'] as const;

/** A sentence that says what to type, with its code. */
export interface Hint {
  code: (typeof HINT_CODES)[number];
  text: string;
}

export const SearchHitList = listSchema(SearchHit)
  .extend({
    has_more: z.boolean().describe('True if there are, or may be, more records than the list shows.'),
    hint: z
      .string()
      .nullable()
      .describe(
        'A sentence about what to type to find further records, or null. That users are not searched by words is a hint only if the search found nothing.',
      ),
    hint_code: z
      .enum(HINT_CODES)
      .nullable()
      .describe(
        'The reason of the hint, for programs: the sentence may be worded differently later, the code stays the same. `users_not_searched`: PUT /x/search/settings enables the search of users by name. `single_character`, `too_many` and `common_words`: type more.',
      ),
    unmatched: z.array(z.string()).describe('If the query has several ids or addresses: those that found nothing.'),
  })
  .meta({ id: 'SearchHitList' });

/** A record as a hit. */
export function presentHit(
  { kind, names }: SearchKind,
  row: Row,
  { match, query }: { match: Match; query: string },
): z.output<typeof SearchHit> {
  const text = (name: string): string | undefined => (typeof row[name] === 'string' ? row[name] : undefined);
  const person = [text('firstName'), text('lastName')].filter((part) => part !== undefined).join(' ');
  const name = names.map(text).find((value) => value !== undefined);
  return {
    object: 'search_hit',
    kind,
    id: text('id') ?? '',
    name: (kind === 'user' && text('name') === undefined && person !== '' ? person : name) ?? null,
    matched_by: match,
    query,
    organization_id: text('organizationId') ?? null,
    user_id: text('userId') ?? null,
    created_at: text('createdAt') ?? null,
  };
}
