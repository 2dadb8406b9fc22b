import { isDeepStrictEqual } from 'node:util';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { unguarded } from '../../../kernel/storage/write.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { type DirectoryUserRecord, directoryUsers } from '../user/entity.ts';
import { listIdsWithAnyValue } from '../user/values.ts';
import { type Difference, leaverRows, type SnapshotRecord } from './entity.ts';
import type { SnapshotRow } from './file.ts';
import { listExternalIds, userFinder } from './match.ts';

const READ_AT_ONCE = 1_000;
const WRITES_AT_ONCE = 80;

/** All users of a directory, by strongly consistent reads: every user has an id at the provider. */
async function readUsers({ environmentId, id: directoryId }: DirectoryRecord): Promise<DirectoryUserRecord[]> {
  const ids = [...(await listIdsWithAnyValue({ environmentId, directoryId }, 'idp_id'))];
  const users: DirectoryUserRecord[] = [];
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    users.push(...(await directoryUsers.getMany(environmentId, ids.slice(at, at + READ_AT_ONCE))));
  }
  return users;
}

/**
 * Compares a snapshot with its directory, and stores who leaves. It changes no user, and may run again.
 * @returns the difference, and the number of users who are active before it
 */
export async function compare(
  directory: DirectoryRecord,
  snapshot: SnapshotRecord,
  rows: readonly SnapshotRow[],
): Promise<{ difference: Difference; active: number }> {
  const users = await readUsers(directory);
  const find = userFinder(users, listExternalIds(rows));
  const difference: Difference = {
    users: rows.length,
    created: 0,
    changed: 0,
    unchanged: 0,
    leavers: 0,
    losingAccess: 0,
  };
  const staying = new Set<string>();
  for (const { attributes } of rows) {
    const user = find(attributes);
    if (user === undefined) difference.created += 1;
    else if (isDeepStrictEqual(JSON.parse(user.resource), attributes)) difference.unchanged += 1;
    else difference.changed += 1;
    if (user !== undefined && attributes.active !== false) staying.add(user.id);
  }
  const active = users.filter(({ state }) => state === 'active');
  const leavers = active.filter(({ id }) => !staying.has(id));
  difference.leavers = leavers.length;
  difference.losingAccess = leavers.filter(losesAccess).length;
  await storeLeavers(snapshot, leavers);
  return { difference, active: active.length };
}

/** Reports whether a user is a member of the organization by the directory. */
const losesAccess = ({ membershipId }: DirectoryUserRecord): boolean => membershipId !== undefined;

async function storeLeavers(
  { environmentId, id: snapshotId, owner, expiresAt }: SnapshotRecord,
  leavers: readonly DirectoryUserRecord[],
): Promise<void> {
  for (let at = 0; at < leavers.length; at += WRITES_AT_ONCE) {
    await applyWork(environmentId, systemActor, async (unit) => {
      for (const leaver of leavers.slice(at, at + WRITES_AT_ONCE)) {
        const row = { environmentId, id: leaver.id, snapshotId, owner, expiresAt, losesAccess: losesAccess(leaver) };
        unit.stage(unguarded(leaverRows.create(row).write));
      }
    });
  }
}
