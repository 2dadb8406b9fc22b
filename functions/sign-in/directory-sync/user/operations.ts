import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { notFound, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPageTogether } from '../../../kernel/pagination.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { type Window, listIds } from '../../../kernel/storage/window.ts';
import { keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { findListedOwner } from '../directory/find.ts';
import { directoryNotFound, rateLimited } from '../directory/errors.ts';
import { findDirectory } from '../directory/entity.ts';
import { takeRequest } from '../directory/rate.ts';
import { type DirectoryGroupRecord, directoryGroups, groupMemberRows } from '../group/entity.ts';
import { groupNotFound } from '../group/operations.ts';
import { type DirectoryUserRecord, directoryUsers, findDirectoryUser, listDirectoryUsers } from './entity.ts';
import { DirectoryUserList, DirectoryUserWithGroups, ListDirectoryUsers, presentDirectoryUser } from './schema.ts';
import { idsAnywhere } from './values.ts';

const directoryUserNotFound = notFound('directory user');

/** A user with the id by which a list continues: the id in the API, or for members of a group the id of the row. */
interface Listed {
  id: string;
  user: DirectoryUserRecord;
}

const listed = (user: DirectoryUserRecord): Listed[] => (user.userId === undefined ? [] : [{ id: user.userId, user }]);

/** The members of a group that the API has, by two strongly consistent round trips. */
async function listMembersInApi(environmentId: string, groupId: string, window: Window): Promise<Reading<Listed>> {
  const { records: rows, ...rest } = await groupMemberRows.list('primary', { environmentId, groupId }).toPage(window);
  const users = await directoryUsers.getMany(environmentId, listIds(rows));
  return { records: users.flatMap((user) => (user.userId === undefined ? [] : [{ id: user.id, user }])), ...rest };
}

interface Filter {
  directory?: string | undefined;
  group?: string | undefined;
  idp_id?: string | undefined;
  email?: string | undefined;
}

/** Finds those of some directories that exist, by a GetItem for each, in parallel. One person is in few. */
async function existingDirectories(environmentId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await awaitAll([...new Set(ids)].map((id) => findDirectory(environmentId, id)));
  return new Set(found.flatMap((directory) => directory?.id ?? []));
}

/**
 * Users that have a value, in one directory or all, and if a group is given, only its members. Users of a deleted
 * directory, whose rows are removed in the background, are left out.
 */
async function usersWithValue(environmentId: string, filter: Filter, window: Window): Promise<Reading<Listed>> {
  const { directory, group, idp_id: idpId, email } = filter;
  const [byEmail, byIdpId] = await awaitAll([
    email === undefined ? undefined : idsAnywhere(environmentId, 'email', email),
    idpId === undefined ? undefined : idsAnywhere(environmentId, 'idp_id', idpId),
  ]);
  const ids = byEmail === undefined ? (byIdpId ?? []) : byEmail.filter((id) => byIdpId?.includes(id) ?? true);
  const found = (await directoryUsers.getMany(environmentId, ids)).filter(
    (user) =>
      (directory === undefined || user.directoryId === directory) &&
      (group === undefined || user.groupIds.includes(group)),
  );
  const directories = await existingDirectories(
    environmentId,
    found.map(({ directoryId }) => directoryId),
  );
  return pageWithin(found.filter((user) => directories.has(user.directoryId)).flatMap(listed), window);
}

async function fetchUsers(environmentId: string, filter: Filter, window: Window): Promise<Reading<Listed>> {
  const { directory = '', group, idp_id: idpId, email } = filter;
  if (idpId !== undefined || email !== undefined) return usersWithValue(environmentId, filter, window);
  if (group !== undefined) return listMembersInApi(environmentId, group, window);
  const { records, ...rest } = await listDirectoryUsers(environmentId, directory).toPage(window);
  return { records: records.flatMap(listed), ...rest };
}

/** The groups of some users: one BatchGetItem for each hundred. */
async function findGroupsOfUsers(
  environmentId: string,
  users: readonly DirectoryUserRecord[],
): Promise<Map<string, DirectoryGroupRecord>> {
  const ids = [...new Set(users.flatMap(({ groupIds }) => groupIds))];
  return new Map((await directoryGroups.getMany(environmentId, ids)).map((group) => [group.id, group]));
}

/** The users of a page with their groups. */
async function presentUsers(environmentId: string, found: readonly Listed[]) {
  const users = found.map(({ user }) => user);
  const groups = await findGroupsOfUsers(environmentId, users);
  return users.map((user) =>
    presentDirectoryUser(
      user,
      user.groupIds.flatMap((id) => groups.get(id) ?? []),
    ),
  );
}

const listUsers = operation({
  id: 'directory_users.list',
  method: 'GET',
  path: '/directory_users',
  summary: 'List directory users',
  description:
    'Requires `directory` or `group`, or a search by `email` or `idp_id`. Each user is shown with at most 1,000 `groups`.',
  auth: keyOrGrant(findListedOwner),
  query: ListDirectoryUsers,
  responses: { 200: DirectoryUserList },
  errors: [directoryNotFound, groupNotFound, rateLimited],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail, invalid }) {
    const { directory, group, idp_id: idpId, email } = query;
    if ([directory, group, idpId, email].every((value) => value === undefined)) {
      throw invalid([{ field: 'directory', code: 'required', message: 'give directory, group, email or idp_id' }]);
    }
    if (!takeRequest('api', environmentId)) throw fail(rateLimited, { retryAfter: 1 });
    const [parent, inGroup, page] = await awaitAll([
      directory === undefined ? undefined : findDirectory(environmentId, directory),
      group === undefined ? undefined : directoryGroups.get(environmentId, group),
      readPageTogether(
        query,
        (window) => fetchUsers(environmentId, query, window),
        (found) => presentUsers(environmentId, found),
      ),
    ]);
    if (directory !== undefined && parent === undefined) throw fail(directoryNotFound);
    const isElsewhere = directory !== undefined && inGroup?.directoryId !== directory;
    if (group !== undefined && (inGroup === undefined || isElsewhere)) throw fail(groupNotFound);
    return { status: 200, body: page };
  },
});

const getUser = operation({
  id: 'directory_users.get',
  method: 'GET',
  path: '/directory_users/{id}',
  summary: 'Get a directory user',
  auth: apiKey,
  responses: { 200: DirectoryUserWithGroups },
  errors: [directoryUserNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const user = await orFail(findDirectoryUser(environmentId, params.id), () => fail(directoryUserNotFound));
    const [directory, groups] = await awaitAll([
      findDirectory(environmentId, user.directoryId),
      directoryGroups.getMany(environmentId, user.groupIds),
    ]);
    if (directory === undefined) throw fail(directoryUserNotFound);
    return { status: 200, body: presentDirectoryUser(user, groups) };
  },
});

/** Operations of the contract on directory users. */
export const directoryUserOperations = [listUsers, getUser] as const;
