import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { notFound } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { readWithin } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { findListedOwner } from '../directory/find.ts';
import { directoryNotFound } from '../directory/errors.ts';
import { findDirectory } from '../directory/entity.ts';
import { findDirectoryUser } from '../user/entity.ts';
import { type DirectoryGroupRecord, directoryGroups } from './entity.ts';
import { DirectoryGroup, DirectoryGroupList, ListDirectoryGroups, presentGroup } from './schema.ts';

export const groupNotFound = notFound('directory group');
const userNotFound = notFound('directory user');

const listGroups = operation({
  id: 'directory_groups.list',
  method: 'GET',
  path: '/directory_groups',
  summary: 'List directory groups',
  description: 'Requires `directory`, or `user` for the groups of a directory user.',
  auth: keyOrGrant(findListedOwner),
  query: ListDirectoryGroups,
  responses: { 200: DirectoryGroupList },
  errors: [directoryNotFound, userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail, invalid }) {
    const { directory, user } = query;
    if (directory === undefined && user === undefined) {
      throw invalid([{ field: 'directory', code: 'required', message: 'give directory or user' }]);
    }
    const [parent, member] = await awaitAll([
      directory === undefined ? undefined : findDirectory(environmentId, directory),
      user === undefined ? undefined : findDirectoryUser(environmentId, user),
    ]);
    if (directory !== undefined && parent === undefined) throw fail(directoryNotFound);
    const isElsewhere = directory !== undefined && member?.directoryId !== directory;
    if (user !== undefined && (member === undefined || isElsewhere)) throw fail(userNotFound);
    const fetch = (window: Window): Promise<Reading<DirectoryGroupRecord>> =>
      member === undefined
        ? directoryGroups.list('byDirectory', { environmentId, directoryId: directory ?? '' }).toPage(window)
        : readWithin(member.groupIds, window, (ids) => directoryGroups.getMany(environmentId, ids));
    return { status: 200, body: await readPage(query, fetch, presentGroup) };
  },
});

const getGroup = operation({
  id: 'directory_groups.get',
  method: 'GET',
  path: '/directory_groups/{id}',
  summary: 'Get a directory group',
  auth: apiKey,
  responses: { 200: DirectoryGroup },
  errors: [groupNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const group = await directoryGroups.get(environmentId, params.id);
    const directory = group && (await findDirectory(environmentId, group.directoryId));
    if (group === undefined || directory === undefined) throw fail(groupNotFound);
    return { status: 200, body: presentGroup(group) };
  },
});

/** Operations of the contract on directory groups. */
export const directoryGroupOperations = [listGroups, getGroup] as const;
