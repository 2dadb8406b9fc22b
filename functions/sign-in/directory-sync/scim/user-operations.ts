import { isCached, type IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { scimErrors } from '../../../kernel/http/error-response.ts';
import { Failure } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { stageRowsInGroups } from '../directory/end.ts';
import { type DirectoryGroupRecord, directoryGroups } from '../group/entity.ts';
import { PROVISIONING_EVENTS } from '../member/link.ts';
import { type DirectoryUserRecord, directoryUsers } from '../user/entity.ts';
import { MOST_ROWS_IN_GROUPS, stageNewUser, stageUserRemoval, stageUserState } from '../user/stage.ts';
import { findCallersDirectory, directoryToken } from './authenticate.ts';
import { checked, commonErrors, scimNotFound, scimStale, scimTaken, searchErrors, writeErrors } from './errors.ts';
import { applyPatch } from './patch.ts';
import {
  etagOf,
  isSelected,
  presentScimUser,
  type ScimResource,
  select,
  type Selection,
  parseSelection,
} from './present.ts';
import { checkAttributes, readAttributes } from './resource.ts';
import { pageIn, ScimBody, ScimList, ScimQuery, ScimResource as Resource, ScimSelection } from './schema.ts';
import { presentPage, search } from './search.ts';
import { scimUserSource } from './sources.ts';

const BASE = '/scim/v2.0/{externalKey}/Users';

const common = { auth: directoryToken, errorForm: scimErrors, idempotency: 'none', beyondContract: true } as const;
const EVENTS = [
  'dsync.user.created',
  'dsync.user.updated',
  'dsync.user.deleted',
  'dsync.group.user_added',
  ...PROVISIONING_EVENTS,
] as const;

/** The headers of a response with a resource: the ETag of its version. */
export const makeHeaders = (record: { version: number }): Record<string, string> => ({ etag: etagOf(record) });

/** Rejects a write whose If-Match names another version. @throws Failure 412 */
export function checkVersion({ headers }: IncomingRequest, record: { version: number }): void {
  const wanted = headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${record.version}"`)) throw new Failure(scimStale);
}

/** Reports whether the caller has this version of a resource. */
export const hasVersion = (request: IncomingRequest, { version }: { version: number }): boolean =>
  request.headers['if-none-match'] !== undefined && isCached(request, `"${version}"`);

/** A user of the directory: one strongly consistent GetItem. @throws Failure 404, the same for a user of another directory */
async function findScimUser(
  { environmentId, id: directoryId }: DirectoryRecord,
  id: string,
): Promise<DirectoryUserRecord> {
  const user = await directoryUsers.get(environmentId, id);
  if (user?.directoryId !== directoryId) throw new Failure(scimNotFound);
  return user;
}

/** The users of a response. Their groups are read if the response shows them, by one BatchGetItem for each hundred. */
export async function showUsers(
  directory: DirectoryRecord,
  users: readonly DirectoryUserRecord[],
  selection: Selection,
): Promise<ScimResource[]> {
  const ids = isSelected(selection, 'groups') ? [...new Set(users.flatMap(({ groupIds }) => groupIds))] : [];
  const groups = ids.length === 0 ? [] : await directoryGroups.getMany(directory.environmentId, ids);
  const byId = new Map<string, DirectoryGroupRecord>(groups.map((group) => [group.id, group]));
  return users.map((user) => select(presentScimUser(directory, user, byId), selection));
}

async function showUser(directory: DirectoryRecord, user: DirectoryUserRecord, selection: Selection) {
  const [body = {}] = await showUsers(directory, [user], selection);
  return body;
}

/** A page of users. */
async function searchUsers(directory: DirectoryRecord, asked: Record<string, unknown>) {
  const selection = parseSelection(asked.attributes, asked.excludedAttributes);
  const filter = typeof asked.filter === 'string' ? asked.filter : undefined;
  const found = await search(directory, scimUserSource(directory), { filter, page: pageIn(asked) });
  return presentPage(found, (records) => showUsers(directory, records, selection));
}

const listScimUsers = operation({
  ...common,
  id: 'scim.list_users',
  method: 'GET',
  path: BASE,
  summary: 'List the users of a directory',
  description:
    'Pages are requested by `startIndex`, or by `cursor` (RFC 9865); `count` is at most 200. Without a match the list is empty.',
  query: ScimQuery,
  responses: { 200: ScimList },
  errors: [...commonErrors, ...searchErrors],
  emits: [],
  handle: async ({ caller, query }) => ({
    status: 200,
    body: await checkedAsync(() => searchUsers(findCallersDirectory(caller), query)),
  }),
});

const searchScimUsers = operation({
  ...common,
  id: 'scim.search_users',
  method: 'POST',
  path: `${BASE}/.search`,
  summary: 'Search the users of a directory',
  body: ScimBody,
  responses: { 200: ScimList },
  errors: [...commonErrors, ...searchErrors],
  emits: [],
  handle: async ({ caller, body }) => ({
    status: 200,
    body: await checkedAsync(() => searchUsers(findCallersDirectory(caller), body)),
  }),
});

const createScimUser = operation({
  ...common,
  id: 'scim.create_user',
  method: 'POST',
  path: BASE,
  summary: 'Create a user of a directory',
  description:
    'Depending on the directory’s `provisioning`, a user with an address of a verified domain is also created as a user and a member of the organization.',
  query: ScimSelection,
  body: ScimBody,
  responses: { 201: Resource },
  errors: [...commonErrors, ...writeErrors, scimTaken],
  emits: EVENTS,
  async handle({ caller, query, body, unit, fail }) {
    const directory = findCallersDirectory(caller);
    const attributes = checked(() => {
      const read = readAttributes('User', body);
      checkAttributes('User', read);
      return read;
    });
    const user = await stageNewUser(unit, directory, attributes, fail(scimTaken));
    const presented = presentScimUser(directory, user, new Map());
    const { location } = presented.meta as { location: string };
    const selection = parseSelection(query.attributes, query.excludedAttributes);
    return { status: 201, body: select(presented, selection), headers: { location, ...makeHeaders(user) } };
  },
});

const getScimUser = operation({
  ...common,
  id: 'scim.get_user',
  method: 'GET',
  path: `${BASE}/{id}`,
  summary: 'Get a user of a directory',
  query: ScimSelection,
  responses: { 200: Resource, 304: null },
  errors: [...commonErrors, scimNotFound],
  emits: [],
  async handle({ caller, params, query, request }) {
    const directory = findCallersDirectory(caller);
    const user = await findScimUser(directory, params.id);
    if (hasVersion(request, user)) return { status: 304, headers: makeHeaders(user) };
    const body = await showUser(directory, user, parseSelection(query.attributes, query.excludedAttributes));
    return { status: 200, body, headers: makeHeaders(user) };
  },
});

const replaceScimUser = operation({
  ...common,
  id: 'scim.replace_user',
  method: 'PUT',
  path: `${BASE}/{id}`,
  summary: 'Replace a user of a directory',
  description: 'Absent attributes are removed, except `active`, which is unchanged.',
  query: ScimSelection,
  body: ScimBody,
  responses: { 200: Resource },
  errors: [...commonErrors, ...writeErrors, scimNotFound, scimTaken, scimStale],
  emits: EVENTS,
  async handle({ caller, params, query, body, request, unit, fail }) {
    const directory = findCallersDirectory(caller);
    const former = await findScimUser(directory, params.id);
    checkVersion(request, former);
    const attributes = checked(() => {
      const read = { active: former.state === 'active', ...readAttributes('User', body) };
      checkAttributes('User', read);
      return read;
    });
    const user = await stageUserState(unit, directory, former, attributes, fail(scimTaken));
    const presented = await showUser(directory, user, parseSelection(query.attributes, query.excludedAttributes));
    return { status: 200, body: presented, headers: makeHeaders(user) };
  },
});

const patchScimUser = operation({
  ...common,
  id: 'scim.patch_user',
  method: 'PATCH',
  path: `${BASE}/{id}`,
  summary: 'Change a user of a directory',
  description:
    'At most 1,000 operations, which are applied together or not at all. A user who becomes inactive leaves the organization at once.',
  query: ScimSelection,
  body: ScimBody,
  responses: { 200: Resource },
  errors: [...commonErrors, ...writeErrors, scimNotFound, scimTaken, scimStale],
  emits: EVENTS,
  async handle({ caller, params, query, body, request, unit, fail }) {
    const directory = findCallersDirectory(caller);
    const former = await findScimUser(directory, params.id);
    checkVersion(request, former);
    const attributes = checked(() => {
      const patched = applyPatch('User', JSON.parse(former.resource) as Record<string, unknown>, body);
      checkAttributes('User', patched.attributes);
      return patched.attributes;
    });
    const user = await stageUserState(unit, directory, former, attributes, fail(scimTaken));
    const presented = await showUser(directory, user, parseSelection(query.attributes, query.excludedAttributes));
    return { status: 200, body: presented, headers: makeHeaders(user) };
  },
});

const deleteScimUser = operation({
  ...common,
  id: 'scim.delete_user',
  method: 'DELETE',
  path: `${BASE}/{id}`,
  summary: 'Delete a user of a directory',
  description: 'The user leaves the organization and the groups of the directory.',
  responses: { 204: null },
  errors: [...commonErrors, scimNotFound, scimStale],
  emits: EVENTS,
  async handle({ caller, params, request, unit }) {
    const directory = findCallersDirectory(caller);
    let user = await findScimUser(directory, params.id);
    checkVersion(request, user);
    // One transaction has no room for many groups, so the user is removed from most of them before.
    while (user.groupIds.length > MOST_ROWS_IN_GROUPS) {
      await leaveSomeGroups(directory, params.id, caller.actor);
      user = await findScimUser(directory, params.id);
    }
    await stageUserRemoval(unit, directory, user);
    return { status: 204 };
  },
});

const LEFT_AT_ONCE = 60;

const leaveSomeGroups = (
  directory: DirectoryRecord,
  id: string,
  actor: Parameters<typeof applyWork>[1],
): Promise<void> =>
  applyWork(directory.environmentId, actor, async (unit) => {
    const user = await findScimUser(directory, id);
    stageRowsInGroups(unit, user, user.groupIds.slice(0, LEFT_AT_ONCE));
    unit.stage(directoryUsers.revise(user, { groupIds: user.groupIds.slice(LEFT_AT_ONCE) }).write);
  });

/** Runs reads like {@link checked}. */
export async function checkedAsync<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return checked(() => {
      throw error;
    });
  }
}

/** The operations of SCIM on users. */
export const scimUserOperations = [
  listScimUsers,
  searchScimUsers,
  createScimUser,
  getScimUser,
  replaceScimUser,
  patchScimUser,
  deleteScimUser,
] as const;
