import type { List } from '../../../kernel/storage/list.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { findHolder } from '../../../kernel/storage/unique.ts';
import { readCounts } from '../directory/counts.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { type DirectoryGroupRecord, directoryGroups } from '../group/entity.ts';
import { type DirectoryUserRecord, directoryUsers, userNameOf } from '../user/entity.ts';
import { computeDigest, idsWithValue, type ValueName } from '../user/values.ts';
import type { RequiredValue } from './filter.ts';
import { presentScimGroup, presentScimUser } from './present.ts';
import { ScimProblem } from './problem.ts';
import type { Source } from './search.ts';

const NO_GROUPS: ReadonlyMap<string, DirectoryGroupRecord> = new Map();

/** Reads up to `limit` rows of a list after an id. */
const rowsAfter = <R>(list: List<R>, after: string | undefined, limit: number): Promise<Reading<R>> =>
  list.toPage({ scan: 'asc', limit, ...(after === undefined ? {} : { after }) });

const isOf =
  ({ id }: DirectoryRecord) =>
  ({ directoryId }: { directoryId: string }): boolean =>
    directoryId === id;

const USER_VALUES: Readonly<Record<string, ValueName>> = {
  externalid: 'idp_id',
  'emails.value': 'email',
  displayname: 'display_name',
};

/** The users of a directory. */
export function scimUserSource(directory: DirectoryRecord): Source<DirectoryUserRecord> {
  const { environmentId, id: directoryId } = directory;
  const idsWith = ({ path, value }: RequiredValue): Promise<readonly string[]> | undefined => {
    if (path === 'id') return Promise.resolve([value]);
    if (path === 'username') {
      const unique = userNameOf(environmentId, directoryId, computeDigest(value));
      return findHolder(unique).then((id) => (id === undefined ? [] : [id]));
    }
    const name = USER_VALUES[path];
    return name && idsWithValue({ environmentId, directoryId }, name, value);
  };
  return {
    prefix: 'directory_user',
    total: async () => {
      const counts = (await readCounts(environmentId, [directoryId])).get(directoryId);
      return counts === undefined ? 0 : counts.active + counts.inactive + counts.hidden;
    },
    fetch: (after, limit) => rowsAfter(directoryUsers.list('byResource', { environmentId, directoryId }), after, limit),
    getMany: async (ids) => (await directoryUsers.getMany(environmentId, ids)).filter(isOf(directory)),
    idsWith,
    // A user is active unless the provider has set another value.
    testable: (record) => ({
      active: record.state === 'active',
      ...presentScimUser(directory, record, NO_GROUPS),
      groups: record.groupIds.map((value) => ({ value })),
    }),
  };
}

const GROUP_VALUES: Readonly<Record<string, ValueName>> = { externalid: 'group_idp_id', displayname: 'group_name' };

/**
 * The groups of a directory. A filter can find them by a member only with `members.value eq`, at the top level or in an
 * `and`.
 */
export function scimGroupSource(directory: DirectoryRecord): Source<DirectoryGroupRecord> {
  const { environmentId, id: directoryId } = directory;
  const idsWith = ({ path, value }: RequiredValue): Promise<readonly string[]> | undefined => {
    if (path === 'id') return Promise.resolve([value]);
    if (path === 'members.value') {
      return directoryUsers
        .get(environmentId, value)
        .then((user) => (user !== undefined && isOf(directory)(user) ? user.groupIds : []));
    }
    const name = GROUP_VALUES[path];
    return name && idsWithValue({ environmentId, directoryId }, name, value);
  };
  return {
    prefix: 'directory_group',
    total: async () => (await readCounts(environmentId, [directoryId])).get(directoryId)?.groups ?? 0,
    fetch: (after, limit) =>
      rowsAfter(directoryGroups.list('byDirectory', { environmentId, directoryId }), after, limit),
    getMany: async (ids) => (await directoryGroups.getMany(environmentId, ids)).filter(isOf(directory)),
    idsWith,
    testable: (record) => presentScimGroup(directory, record, undefined),
  };
}

/** Rejects a filter that compares members unless the index of members can find the matches. */
export function checkMemberTerms(filter: string, hasMemberId: boolean): void {
  if (/(?:^|[^\w])members/i.test(filter.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')) && !hasMemberId) {
    throw new ScimProblem('invalidFilter', 'Members are compared only by members.value eq "id", also in an and.');
  }
}
