import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../../kernel/storage/record.ts';
import type { Reading } from '../../../../kernel/storage/range.ts';
import { placeInShard, shardAttributes } from '../../../../kernel/storage/shards.ts';
import type { Window } from '../../../../kernel/storage/window.ts';
import type { Write } from '../../../../kernel/storage/write.ts';

/**
 * The row that each sign-in of a user writes, which is not in the list of users: the index of that list would be rewritten with
 * each sign-in. The rows are in shards, sorted by the users' ids, so that a page of users is read in parallel with their rows.
 * A user who has neither signed in nor was touched has none.
 */
const ActivityEntity = entity({
  model: model('user-activity'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...shardAttributes(8),
    lastSignInAt: { type: 'string' },
  },
  indexes: {
    primary: { pk: partition('pk', 'user-activity', 'listShard'), sk: sortedBy('sk', 'id') },
    owned: ownedIndex,
  },
});

const activities = collection(ActivityEntity, 'silent');

type ActivityRecord = RecordOf<typeof ActivityEntity>;

/** The members of a user's record that are in the row of their activity. */
export interface Activity {
  lastSignInAt?: string | undefined;
  /** The row; absent before the first sign-in or touch. */
  activity?: ActivityRecord | undefined;
}

/** The record of a user with their activity. */
export const withActivity = <User extends { id: string }>(user: User, activity: ActivityRecord | undefined) => ({
  ...user,
  ...(activity === undefined ? {} : { activity, lastSignInAt: activity.lastSignInAt }),
});

const makeKey = (environmentId: string, id: string) => ({
  environmentId,
  id,
  listShard: '',
  ...placeInShard(ActivityEntity, id),
});

/** The activity of a user, by one strongly consistent GetItem. */
export const findActivity = (environmentId: string, id: string): Promise<ActivityRecord | undefined> =>
  activities.getAt(makeKey(environmentId, id));

/** The activities of users within a window, by one strongly consistent Query of each shard, in parallel. */
export const listActivities = (environmentId: string, window: Window): Promise<Reading<ActivityRecord>> =>
  activities.list('primary', { environmentId }).toPage(window);

/** The user's activity as this unit of work was made for it: fails if the user signed in, or was touched, since. */
export function activityCheck({
  environmentId,
  id,
  activity,
}: { environmentId: string; id: string } & Activity): Write {
  return activity === undefined
    ? activities.absenceCheck(makeKey(environmentId, id))
    : activities.versionCheck(activity);
}

/** The next state of a user's activity. The write fails if the user signed in, or was touched, since it was read. */
export function changeActivity<User extends { environmentId: string; id: string } & Activity>(
  user: User,
  lastSignInAt = user.lastSignInAt,
): { user: User; write: Write } {
  const { environmentId, id, activity } = user;
  const { record, write } =
    activity === undefined
      ? activities.create({ environmentId, id, owner: ownerKey('user', id), lastSignInAt })
      : activities.revise(activity, { lastSignInAt });
  return { user: { ...user, activity: record, lastSignInAt: record.lastSignInAt }, write };
}

/** The write that removes a user's activity with the user. */
export const removeActivity = ({
  environmentId,
  id,
  activity,
}: { environmentId: string; id: string } & Activity): Write =>
  activity === undefined ? activities.absenceCheck(makeKey(environmentId, id)) : activities.remove(activity);
