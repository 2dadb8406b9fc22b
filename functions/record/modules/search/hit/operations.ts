import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { operation } from '../../../../kernel/operation.ts';
import { wholeList } from '../../../../kernel/pagination.ts';
import { search } from './find.ts';
import { readQuestion } from './rules.ts';
import { SearchHitList, SearchQuery } from './schema.ts';

export const searchRecords = operation({
  id: 'search.query',
  method: 'GET',
  path: '/x/search',
  summary: 'Find records by an id, an address, a domain, a URL or a name',
  description:
    'Recognizes the kind of the query by its form: an id of any kind, an email address (its user, its invitations, its ' +
    'suppression), a verified domain, the URL of a webhook endpoint, a phone number, an external id, or the beginnings of the words of a ' +
    'name (organizations, connections, directories, vault objects, and users if the settings of the search say so). Returns at most 20 hits for one thing: exact matches first, then ' +
    'matches of words, grouped by kind and in each kind sorted by the word that matches and by creation, the oldest first. `hint` says what to type for others, and `hint_code` why. A single letter or digit finds only names that have it as a word. A query can have up to ' +
    '100 ids and addresses, and then returns the record of each. A record is found as soon as it is created; only invitations by ' +
    'their address, and users by words, may be missing for a moment.',
  auth: apiKey,
  query: SearchQuery,
  responses: { 200: SearchHitList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const { hits, hasMore, hint, unmatched } = await search(environmentId, readQuestion(query.q));
    const hinted = { hint: hint?.text ?? null, hint_code: hint?.code ?? null };
    return { status: 200, body: { ...wholeList(hits), has_more: hasMore, ...hinted, unmatched } };
  },
});

export const searchOperations = [searchRecords] as const;
