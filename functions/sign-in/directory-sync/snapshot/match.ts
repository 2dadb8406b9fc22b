import { awaitAll } from '../../../kernel/concurrency.ts';
import { findHolder } from '../../../kernel/storage/unique.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import type { Attributes } from '../scim/resource.ts';
import { type DirectoryUserRecord, directoryUsers, userNameOf } from '../user/entity.ts';
import { computeDigest, idsWithValue } from '../user/values.ts';
import type { SnapshotRow } from './file.ts';

/** The ids at the provider of all users of a snapshot. */
export const listExternalIds = (rows: readonly SnapshotRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ attributes: { externalId } }) => (typeof externalId === 'string' ? [externalId] : [])));

/**
 * Reports whether a user with the user name of a row is the user of the row. If both have ids at the provider and the
 * snapshot has the user's id in another row, the user name has passed from one user to another.
 */
const isSameByName = (user: DirectoryUserRecord, { externalId }: Attributes, externalIds: ReadonlySet<string>) =>
  externalId === undefined || user.externalId === undefined || !externalIds.has(user.externalId);

/** Finds the user of a row among all users of a directory, in memory. */
export function userFinder(users: readonly DirectoryUserRecord[], externalIds: ReadonlySet<string>) {
  const byExternalId = new Map(users.flatMap((user) => (user.externalId ? [[user.externalId, user] as const] : [])));
  const byName = new Map(users.map((user) => [user.userName.toLowerCase(), user]));
  return (attributes: Attributes): DirectoryUserRecord | undefined => {
    const known = byExternalId.get(String(attributes.externalId));
    if (attributes.externalId !== undefined && known !== undefined) return known;
    const named = byName.get(String(attributes.userName).toLowerCase());
    return named && isSameByName(named, attributes, externalIds) ? named : undefined;
  };
}

/** The user of a row, or another user of the directory who has its user name. */
interface Match {
  user?: DirectoryUserRecord | undefined;
  isTaken: boolean;
}

/** Finds the user of a row in the table: by its id at the provider, otherwise by its user name. All reads are consistent. */
export async function findMatch(
  { environmentId, id: directoryId }: DirectoryRecord,
  attributes: Attributes,
  externalIds: ReadonlySet<string>,
): Promise<Match> {
  const { externalId, userName } = attributes;
  const [ids, holder] = await awaitAll([
    typeof externalId === 'string' ? idsWithValue({ environmentId, directoryId }, 'idp_id', externalId) : [],
    findHolder(userNameOf(environmentId, directoryId, computeDigest(String(userName)))),
  ]);
  const users = await directoryUsers.getMany(environmentId, [...new Set([...ids, ...(holder ? [holder] : [])])]);
  const known = users.find((user) => externalId !== undefined && user.externalId === externalId);
  const named = users.find(({ id }) => id === holder);
  if (known !== undefined) return { user: known, isTaken: named !== undefined && named !== known };
  const isSame = named !== undefined && isSameByName(named, attributes, externalIds);
  return { user: isSame ? named : undefined, isTaken: named !== undefined && !isSame };
}
