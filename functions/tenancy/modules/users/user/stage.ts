import { clock } from '../../../../kernel/clock.ts';
import type { Failure } from '../../../../kernel/errors.ts';
import { changedMembers } from '../../../../kernel/events/previous.ts';
import { newId } from '../../../../kernel/ids.ts';
import { ENVIRONMENT_OWNER } from '../../../../kernel/storage/record.ts';
import { claim, moveUnique, release, type UniqueValue } from '../../../../kernel/storage/unique.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { Write } from '../../../../kernel/storage/write.ts';
import { activityCheck, changeActivity, removeActivity } from './activity.ts';
import { emailOf, externalIdOf, type UserRecord, users } from './entity.ts';
import { hasProvedAddress } from './find.ts';
import { presentUser } from './schema.ts';

/** The data of a new user. */
export interface NewUser {
  environmentId: string;
  /** The email address, normalized by `normalizeEmail`. */
  email: string;
  emailVerified: boolean;
  firstName?: string | undefined;
  lastName?: string | undefined;
  name?: string | undefined;
  profilePictureUrl?: string | undefined;
  externalId?: string | undefined;
  metadata?: Record<string, string> | undefined;
  locale?: string | undefined;
  /** The original id, times and last sign-in of an imported user. */
  id?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
  lastSignInAt?: string | undefined;
}

/**
 * The errors for a unique value that another user has; without them the call is applied again to the current state of
 * the table.
 */
export interface UserRejections {
  /** The error if the email address belongs to another user. */
  otherwise?: Failure | undefined;
  /** The error if the `external_id` belongs to another user. */
  externalIdTaken?: Failure | undefined;
}

/** Stages a new user with their unique values and `user.created`. @returns the new user */
export function stageUser(unit: Unit<'user.created'>, user: NewUser, rejections: UserRejections = {}): UserRecord {
  const { environmentId, id = newId('user'), createdAt = clock.timestamp(), updatedAt = createdAt, ...given } = user;
  const { lastSignInAt, ...members } = given;
  const creation = users.create(
    {
      environmentId,
      id,
      owner: ENVIRONMENT_OWNER,
      ...members,
      everProved: members.emailVerified || undefined,
      metadata: members.metadata ?? {},
      changedAt: updatedAt,
    },
    createdAt,
    updatedAt,
  );
  const active = lastSignInAt === undefined ? undefined : changeActivity(creation.record, lastSignInAt);
  const record = active?.user ?? creation.record;
  unit.announce({ ...creation, record }, 'user.created', presentUser);
  if (active !== undefined) unit.stage(active.write);
  unit.stage(take(emailOf(environmentId, record.email), id), rejections.otherwise);
  if (record.externalId !== undefined) {
    unit.stage(take(externalIdOf(environmentId, record.externalId), id), rejections.externalIdTaken);
  }
  return record;
}

/** The members that {@link stageUserChange} changes; undefined removes one. */
export interface UserChanges {
  /** The email address, normalized by `normalizeEmail`. */
  email?: string;
  emailVerified?: boolean;
  metadata?: Record<string, string>;
  firstName?: string | undefined;
  lastName?: string | undefined;
  name?: string | undefined;
  profilePictureUrl?: string | undefined;
  externalId?: string | undefined;
  locale?: string | undefined;
  ownershipEpoch?: number;
}

/**
 * Stages a user's new state, whose version is checked. `user.updated` is emitted only if responses show a change.
 * @returns the new state of the user
 */
export function stageUserChange(
  unit: Unit<'user.updated'>,
  former: UserRecord,
  changes: UserChanges,
  rejections: UserRejections = {},
): UserRecord {
  const previous = changedMembers(presentUser(former), presentUser({ ...former, ...changes } as UserRecord));
  const isSeen = Object.keys(previous).length > 0;
  const changedAt = isSeen ? clock.timestamp() : (former.changedAt ?? former.updatedAt);
  const everProved = hasProvedAddress(former) || changes.emailVerified || undefined;
  const record = stageRevision(unit, former, { ...changes, everProved, changedAt });
  const { environmentId, id } = former;
  const owner = ENVIRONMENT_OWNER;
  const email = moveUnique((value) => emailOf(environmentId, value), id, {
    former: former.email,
    next: record.email,
    owner,
  });
  const external = moveUnique((value) => externalIdOf(environmentId, value), id, {
    former: former.externalId,
    next: record.externalId,
    owner,
  });
  unit.stage([...email.released, ...external.released]);
  unit.stage(email.claimed, rejections.otherwise);
  unit.stage(external.claimed, rejections.externalIdTaken);
  if (isSeen) unit.emit('user.updated', presentUser(record), { previousAttributes: previous });
  return record;
}

/** Stages a new state of a user's row, which conflicts with a concurrent sign-in, touch or change of the user. */
function stageRevision(
  unit: Pick<Unit, 'stage'>,
  user: UserRecord,
  changes: Parameters<typeof users.revise>[1],
): UserRecord {
  const { record, write } = users.revise(user, changes);
  unit.stage([write, activityCheck(user)]);
  return record;
}

/**
 * Stages a revision of a user's activity, for changes, such as a revocation of sessions, that must conflict with a concurrent
 * sign-in, touch or change of the same user. It writes nothing that other users share: the user's row is only checked.
 * @param lastSignInAt the time of a sign-in; without it, the revision changes nothing in responses
 */
export function touchUserVersion(unit: Unit<never>, former: UserRecord, lastSignInAt?: string): UserRecord {
  const { user, write } = changeActivity(former, lastSignInAt);
  unit.stage([users.versionCheck(former), write]);
  return user;
}

/**
 * Stages a revision of the user's row that invalidates earlier credentials: reset links, pending sign-ins,
 * authorization codes.
 */
export const invalidatePendingCredentials = (unit: Unit<never>, user: UserRecord): UserRecord =>
  stageRevision(unit, user, { credentialEpoch: (user.credentialEpoch ?? 0) + 1 });

/** The writes that remove a user and release their unique values. */
export function makeRemoval(user: UserRecord): Write[] {
  const { environmentId, id, email, externalId } = user;
  return [
    users.remove(user),
    removeActivity(user),
    release(emailOf(environmentId, email), id),
    ...(externalId === undefined ? [] : [release(externalIdOf(environmentId, externalId), id)]),
  ];
}

// The environment owns the row: if the user owned it, the erasure of a deleted user could remove the row of the next user
// with the value.
const take = (unique: UniqueValue, holder: string): Write => claim(unique, holder, ENVIRONMENT_OWNER);

/** A condition check that a user exists at the commit, so that no record is created for a user who is being deleted. */
export const userExistsCheck = (environmentId: string, id: string): Write => users.existenceCheck(environmentId, id);
