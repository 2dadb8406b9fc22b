import { awaitAll } from '../../../kernel/concurrency.ts';
import { scimErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { findCallersDirectory, directoryToken } from './authenticate.ts';
import { commonErrors, filterErrors } from './errors.ts';
import { parseFilter } from './filter.ts';
import { showGroups } from './group-operations.ts';
import { parseSelection } from './present.ts';
import { listResponse, pageIn, ScimBody, ScimList } from './schema.ts';
import { matching } from './search.ts';
import { checkMemberTerms, scimGroupSource, scimUserSource } from './sources.ts';
import { checkedAsync, showUsers } from './user-operations.ts';

/** A filter that every resource matches. */
const ALL = 'id pr';

const searchAll = operation({
  id: 'scim.search',
  method: 'POST',
  path: '/scim/v2.0/{externalKey}/.search',
  summary: 'Search the users and groups of a directory',
  description:
    'Lists users first, then groups. If the filter does not compare an indexed attribute, only directories with at most 1,000 users and 1,000 groups can be searched.',
  auth: directoryToken,
  errorForm: scimErrors,
  beyondContract: true,
  body: ScimBody,
  responses: { 200: ScimList },
  errors: [...commonErrors, ...filterErrors],
  emits: [],
  idempotency: 'none',
  async handle({ caller, body }) {
    const directory = findCallersDirectory(caller);
    const { startIndex, count } = pageIn(body);
    const selection = parseSelection(body.attributes, body.excludedAttributes);
    const text = typeof body.filter === 'string' && body.filter.trim() !== '' ? body.filter : ALL;
    const [users, groups] = await checkedAsync(async () => {
      const filter = parseFilter(text);
      checkMemberTerms(text, false);
      return awaitAll([matching(scimUserSource(directory), filter), matching(scimGroupSource(directory), filter)]);
    });
    const [from, to] = [startIndex - 1, startIndex - 1 + count];
    const [presentedUsers, presentedGroups] = await awaitAll([
      showUsers(directory, users.slice(from, to), selection),
      showGroups(directory, groups.slice(Math.max(0, from - users.length), Math.max(0, to - users.length)), selection),
    ]);
    const totalResults = users.length + groups.length;
    return { status: 200, body: listResponse([...presentedUsers, ...presentedGroups], { totalResults, startIndex }) };
  },
});

/** The search of SCIM over all kinds of resources (RFC 7644 section 3.4.3). */
export const scimSearchOperations = [searchAll] as const;
