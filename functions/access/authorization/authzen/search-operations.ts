import { apiKey } from '../../../kernel/authentication/api-key.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { findUsersById } from '../../../tenancy/modules/users/public.ts';
import { ask } from '../check/ask.ts';
import { listMembers } from '../lookup/members.ts';
import { ORGANIZATION_TYPE } from '../resource/rules.ts';
import { memberSearch } from './member-search.ts';
import { findSearched, findMembershipId } from './find.ts';
import { kindOfUserName, MEMBERSHIP_SUBJECT, namedResource, USER_SUBJECT } from './rules.ts';
import { FoundActions, FoundEntities, MAX_RESULTS, SearchAction, SearchResource, SearchSubject } from './schema.ts';
import { searchResources } from './search.ts';
import { computeDigest, decodeToken, encodeToken } from './token.ts';

/** The requested page. */
interface Asked {
  page?: { token?: string | undefined; limit?: number | undefined } | undefined;
}

/**
 * A page of results. A search for an unknown entity has an empty page, and no error.
 * @param parts the parts of the request that select the results: a token of another search is rejected
 * @throws Failure for a token that no response to this request contained
 */
async function searchPage<T extends { id: string }, Result>(
  { page }: Asked,
  parts: readonly (string | undefined)[],
  invalid: (issues: readonly Issue[]) => Failure,
  fetch: (window: Window) => Promise<Reading<T>>,
  present: (found: T) => Result,
): Promise<{ page: { next_token: string; count: number }; results: Result[] }> {
  const digest = computeDigest(parts);
  const from = page?.token === undefined || page.token === '' ? undefined : decodeToken(page.token);
  const given = page?.limit === undefined ? undefined : Math.min(page.limit, MAX_RESULTS);
  const limit = from?.limit ?? given ?? MAX_RESULTS;
  const isOther = from === undefined ? Boolean(page?.token) : from.digest !== digest || (given ?? limit) !== limit;
  if (isOther || limit > MAX_RESULTS) {
    const message = 'is no token of this search: send the request of its page again, with its next_token';
    throw invalid([{ field: 'page.token', code: 'invalid_value', message }]);
  }
  const found = await readPage({ limit, order: 'asc', after: from?.after }, fetch, present);
  const { after } = found.list_metadata;
  const next = after === null ? '' : encodeToken({ after, limit, digest });
  return { page: { next_token: next, count: found.data.length }, results: found.data };
}

/** The parts of the declaration that all searches share. */
const common = {
  method: 'POST',
  beyondContract: true,
  auth: apiKey,
  errors: [],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
} as const;

const searchSubjects = operation({
  ...common,
  id: 'authzen.search_subject',
  path: '/access/v1/search/subject',
  operator: 'people.read',
  summary: 'Search the subjects that have access (AuthZEN)',
  description:
    'Lists the users or the memberships, by the type of the subject, that the evaluation permits. A user is identified by its external id; if it has none, or one that contains `@` or has the form of a user’s id, by its id.',
  body: SearchSubject,
  responses: { 200: FoundEntities },
  async handle({ environmentId, body, invalid }) {
    const { subject, action, resource, context } = body;
    const parts = ['subject', subject.type, action.name, resource.type, resource.id, context?.organization_id];
    const isKnown = subject.type === USER_SUBJECT || subject.type === MEMBERSHIP_SUBJECT;
    const found = isKnown ? await findSearched(environmentId, resource, context) : undefined;
    const made = found && (await memberSearch(environmentId, found, action.name));
    const list = async (window: Window): ReturnType<typeof listMembers> =>
      made === undefined ? { records: [] } : listMembers(made, window);
    const page = await searchPage(body, parts, invalid, list, (membership) => membership);
    if (subject.type === MEMBERSHIP_SUBJECT) {
      return { status: 200, body: { ...page, results: page.results.map(({ id }) => ({ type: subject.type, id })) } };
    }
    const users = await findUsersById(
      environmentId,
      page.results.map(({ userId }) => userId),
    );
    const results = users.map(({ id, externalId }) => {
      const isName = externalId !== undefined && kindOfUserName(externalId) === 'external_id';
      return { type: subject.type, id: isName ? externalId : id };
    });
    return { status: 200, body: { page: { ...page.page, count: results.length }, results } };
  },
});

const searchForResources = operation({
  ...common,
  id: 'authzen.search_resource',
  path: '/access/v1/search/resource',
  operator: 'people.read',
  summary: 'Search the resources to which a subject has access (AuthZEN)',
  description:
    'Lists the resources of a type, by their external ids (by their ids where an external id has the form of an id), in the subject’s organization, on which the evaluation permits the action. If ' +
    'access comes from a role on a parent resource, all resources of the type are read and a page can be short: `GET …/organization_memberships/{id}/resources` lists ' +
    'those below one parent.',
  body: SearchResource,
  responses: { 200: FoundEntities },
  async handle({ environmentId, body, invalid }) {
    const { subject, action, resource, context } = body;
    const parts = ['resource', subject.type, subject.id, action.name, resource.type, context?.organization_id];
    const membershipId = await findMembershipId(environmentId, subject, undefined, context);
    const search = {
      environmentId,
      membershipId: membershipId ?? '',
      permission: action.name,
      typeSlug: resource.type,
    };
    const list = async (window: Window): ReturnType<typeof searchResources> =>
      membershipId === undefined ? { records: [] } : searchResources(search, window);
    const page = await searchPage(body, parts, invalid, list, ({ id, externalId }) => {
      const isName = namedResource({ type: resource.type, id: externalId }).resource_id === undefined;
      return { type: resource.type, id: isName || resource.type === ORGANIZATION_TYPE ? externalId : id };
    });
    return { status: 200, body: page };
  },
});

const searchActions = operation({
  ...common,
  id: 'authzen.search_action',
  path: '/access/v1/search/action',
  operator: 'people.read',
  summary: 'Search the actions that a subject may perform on a resource (AuthZEN)',
  description:
    'Lists the permissions that the evaluation permits, including those from groups and from roles on parent resources.',
  body: SearchAction,
  responses: { 200: FoundActions },
  async handle({ environmentId, body, invalid }) {
    const { subject, resource, context } = body;
    const parts = ['action', subject.type, subject.id, resource.type, resource.id, context?.organization_id];
    const membershipId = await findMembershipId(environmentId, subject, resource, context);
    const list = async (window: Window) =>
      membershipId === undefined
        ? { records: [] }
        : pageWithin(await permissionsOn(environmentId, membershipId, resource), window);
    return { status: 200, body: await searchPage(body, parts, invalid, list, ({ slug }) => ({ name: slug })) };
  },
});

/** The permissions of a membership on a resource. */
async function permissionsOn(environmentId: string, membershipId: string, resource: { type: string; id: string }) {
  const question = { named: namedResource(resource) };
  const { facts, findings } = await ask(environmentId, membershipId, [question], { isWhole: true });
  const [finding] = findings;
  if (finding?.chain[0]?.typeSlug !== resource.type || facts.membership?.status !== 'active') return [];
  const ids = new Set(finding.held.flatMap(({ role }) => [...role.permissionIds]));
  return [...facts.model.permissions.values()].filter(({ id }) => ids.has(id));
}

/** The searches of the OpenID AuthZEN Authorization API 1.0, which use the same code as lookups. */
export const authZenSearchOperations = [searchSubjects, searchForResources, searchActions] as const;
