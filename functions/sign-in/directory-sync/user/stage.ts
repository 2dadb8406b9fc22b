import { isDeepStrictEqual } from 'node:util';

import { normalizeEmail } from '../../../kernel/address.ts';
import { clock } from '../../../kernel/clock.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { claim, releaseIfHeld } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { changeCounts, type Counts } from '../directory/counts.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { stageRowsInGroups, stageRowsOfUser } from '../directory/end.ts';
import { directoryGroups } from '../group/entity.ts';
import { presentGroup } from '../group/schema.ts';
import type { ProvisioningEvents } from '../member/link.ts';
import { provision } from '../member/provision.ts';
import type { Attributes } from '../scim/resource.ts';
import { computeCustomAttributes } from './custom.ts';
import { type DirectoryUserRecord, directoryUsers, laterIdOf, userNameOf } from './entity.ts';
import { listUserValues } from './indexed.ts';
import { directoryUserPayload } from './schema.ts';
import { computeDigest, indexValues } from './values.ts';

/** A unit of work that changes a directory's user and what it provisions. */
export type UserUnit = Unit<
  'dsync.user.created' | 'dsync.user.updated' | 'dsync.user.deleted' | 'dsync.group.user_added' | ProvisioningEvents
>;

/** Maximum number of groups for whose `user_added` events one transaction has room when a user returns. */
const MOST_REJOINED = 30;

/** The attributes of a user's row that follow from those that the provider has written. */
interface Written {
  userName: string;
  externalId: string | undefined;
  email: string | undefined;
  resource: string;
  customAttributes: Record<string, unknown>;
  isActive: boolean;
}

/** The email address of a user: the primary one, otherwise the first, otherwise a user name that is an address. */
function emailIn({ emails, userName }: Attributes): string | undefined {
  const list = (Array.isArray(emails) ? emails : []) as { value?: unknown; primary?: unknown }[];
  const addresses = [...list.filter(({ primary }) => primary === true), ...list].map(({ value }) => value);
  return [...addresses, userName]
    .flatMap((text) => (typeof text === 'string' ? (normalizeEmail(text) ?? []) : []))
    .at(0);
}

const written = (directory: DirectoryRecord, attributes: Attributes): Written => ({
  userName: String(attributes.userName),
  externalId: typeof attributes.externalId === 'string' ? attributes.externalId : undefined,
  email: emailIn(attributes),
  resource: JSON.stringify(attributes),
  customAttributes: computeCustomAttributes(attributes, directory.customAttributes),
  isActive: attributes.active !== false,
});

/** The name of the count that a user belongs to. */
const findCountName = ({ userId, state }: Pick<DirectoryUserRecord, 'userId' | 'state'>): keyof Counts =>
  userId === undefined ? 'hidden' : state === 'active' ? 'active' : 'inactive';

/** The id that the API has for a user in a new state: the former id, a new id for a user who returns, or none. */
function idInApi(directory: DirectoryRecord, former: DirectoryUserRecord, isActive: boolean): string | undefined {
  if (!isActive && directory.inactiveUsers === 'delete') return undefined;
  if (former.userId !== undefined) return former.userId;
  return former.userCreatedAt === undefined ? former.id : newId('directory_user');
}

/**
 * Stages a new directory user with the membership that it provisions, and `dsync.user.created` unless the API does not show
 * the user.
 * @param taken rejects the call if another user of the directory has the user name
 */
export async function stageNewUser(
  unit: UserUnit,
  directory: DirectoryRecord,
  attributes: Attributes,
  taken?: Failure,
): Promise<DirectoryUserRecord> {
  const { environmentId, organizationId, id: directoryId } = directory;
  const { isActive, ...fields } = written(directory, attributes);
  const id = newId('directory_user');
  const owner = ownerKey('organization', organizationId);
  const isInApi = isActive || directory.inactiveUsers === 'keep';
  const at = clock.timestamp();
  const own = {
    environmentId,
    id,
    owner,
    organizationId,
    directoryId,
    ...fields,
    state: isActive ? ('active' as const) : ('inactive' as const),
    userId: isInApi ? id : undefined,
    userCreatedAt: isInApi ? at : undefined,
    changedAt: at,
    groupIds: [],
  };
  const { record: draft } = directoryUsers.create(own, at);
  const link = await provision(unit, directory, undefined, draft);
  const creation = directoryUsers.create({ ...own, ...link }, at);
  const { record } = creation;
  unit.stage(creation.write);
  unit.stage(claim(userNameOf(environmentId, directoryId, computeDigest(record.userName)), id, owner), taken);
  unit.stage([
    ...indexValues(record, {}, listUserValues(record)),
    ...changeCounts(environmentId, directoryId, { [findCountName(record)]: 1 }),
  ]);
  if (isInApi) unit.emit('dsync.user.created', directoryUserPayload(record), { organizationId });
  return record;
}

/**
 * Stages a user's new state with its consequences: the event for the API, and changes of the provisioned user and
 * membership. It stages nothing if nothing changes.
 * @param taken rejects the call if another user of the directory has the user name
 */
export async function stageUserState(
  unit: UserUnit,
  directory: DirectoryRecord,
  former: DirectoryUserRecord,
  attributes: Attributes,
  taken?: Failure,
): Promise<DirectoryUserRecord> {
  const { environmentId, id, organizationId, owner } = former;
  const { isActive, ...fields } = written(directory, attributes);
  const userId = idInApi(directory, former, isActive);
  const at = clock.timestamp();
  const isBack = userId !== undefined && former.userId === undefined;
  const changes = {
    ...fields,
    // If only the order of members has changed, the stored text is kept.
    resource: isDeepStrictEqual(JSON.parse(former.resource), attributes) ? former.resource : fields.resource,
    state: isActive ? ('active' as const) : ('inactive' as const),
    userId,
    userCreatedAt: isBack ? at : former.userCreatedAt,
  };
  const draft = { ...former, ...changes } as DirectoryUserRecord;
  const link = await provision(unit, directory, former, draft);
  const next = { ...changes, ...link };
  const isSame = Object.entries(next).every(([name, value]) =>
    isDeepStrictEqual((former as Record<string, unknown>)[name], value),
  );
  if (isSame) return former;
  const revision = directoryUsers.revise(former, { ...next, changedAt: at }, at);
  const { record } = revision;
  stageUniqueValues(unit, former, record, taken);
  unit.stage([
    ...indexValues({ ...record, owner }, listUserValues(former), listUserValues(record)),
    ...listCountWrites(former, record),
  ]);
  const details = { organizationId };
  if (userId === undefined && former.userId !== undefined) {
    unit.stage(revision.write);
    unit.emit('dsync.user.deleted', { ...directoryUserPayload(former), state: 'inactive' }, details);
  } else if (isBack) {
    unit.stage(revision.write);
    unit.emit('dsync.user.created', directoryUserPayload(record), details);
    await announceGroups(unit, record);
  } else if (userId === undefined) unit.stage(revision.write);
  else {
    const presentPayload = (user: DirectoryUserRecord) => directoryUserPayload(user);
    unit.announce(revision, 'dsync.user.updated', presentPayload, { former, ...details });
  }
  if (userId !== undefined && userId !== former.userId && userId !== id) {
    unit.stage(claim(laterIdOf(environmentId, userId), id, owner));
  }
  if (former.userId !== undefined && former.userId !== userId && former.userId !== id) {
    unit.stage(releaseIfHeld(laterIdOf(environmentId, former.userId), id));
  }
  return record;
}

function stageUniqueValues(
  unit: Pick<UserUnit, 'stage'>,
  former: DirectoryUserRecord,
  { environmentId, directoryId, id, owner, userName }: DirectoryUserRecord,
  taken: Failure | undefined,
): void {
  const [had, has] = [computeDigest(former.userName), computeDigest(userName)];
  if (had === has) return;
  unit.stage(releaseIfHeld(userNameOf(environmentId, directoryId, had), id));
  unit.stage(claim(userNameOf(environmentId, directoryId, has), id, owner), taken);
}

function listCountWrites(former: DirectoryUserRecord, { environmentId, directoryId, ...next }: DirectoryUserRecord) {
  const [had, has] = [findCountName(former), findCountName(next)];
  return had === has ? [] : changeCounts(environmentId, directoryId, { [had]: -1, [has]: 1 });
}

/** Emits the events by which a user who returns joins the groups that the provider still lists. */
async function announceGroups(unit: UserUnit, user: DirectoryUserRecord): Promise<void> {
  const groups = await directoryGroups.getMany(user.environmentId, user.groupIds.slice(0, MOST_REJOINED));
  for (const group of groups) {
    unit.emit(
      'dsync.group.user_added',
      { directory_id: user.directoryId, user: directoryUserPayload(user), group: presentGroup(group) },
      { organizationId: user.organizationId },
    );
  }
}

/** Maximum number of rows in groups for which the transaction of a removal has room. */
export const MOST_ROWS_IN_GROUPS = 30;

/**
 * Stages the removal of a user by the provider: the user leaves the organization, with `dsync.user.deleted` if the API had
 * the user. At most {@link MOST_ROWS_IN_GROUPS} of its rows in groups are removed; the caller has removed the others.
 */
export async function stageUserRemoval(
  unit: UserUnit,
  directory: DirectoryRecord,
  user: DirectoryUserRecord,
): Promise<void> {
  const { environmentId, directoryId, organizationId } = user;
  await provision(unit, directory, user, undefined);
  stageRowsInGroups(unit, user, user.groupIds);
  stageRowsOfUser(unit, user);
  unit.stage(changeCounts(environmentId, directoryId, { [findCountName(user)]: -1 }));
  if (user.userId !== undefined) unit.emit('dsync.user.deleted', directoryUserPayload(user), { organizationId });
}
