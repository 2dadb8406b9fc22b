import { clock } from '../../kernel/clock.ts';
import { passwordChangedMail } from '../../kernel/messages/templates/account-notice.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { stageRevocationOfAll } from '../../sessions/public.ts';
import { composeNotice, stageEndOfBegun, type UserRecord } from '../../users/public.ts';
import type { NewPassword } from './body.ts';
import { ownHash } from './check.ts';
import { stageDecoy } from './decoys.ts';
import { passwords } from './entity.ts';

/** How a password comes to a user. */
export interface PasswordSetting {
  /** True for a user whom the same unit creates: there is nothing to revoke and nobody to tell. */
  isNew?: boolean;
  /** Whether the user's sessions end; they do unless this is false. */
  revokes?: boolean;
}

/**
 * Stages a user's password: in plain it is hashed here (once a call, about 30 ms), a hash is kept as it is until the next
 * sign-in. A revision of the user's row ends what was begun under the former password (reset links, pending sign-ins) and keeps
 * a sign-in at the same time from passing unseen; the sessions are revoked and the user is told by mail.
 *
 * Whether the password is good enough is the caller's to check, by `refuseWeakPassword`.
 * @returns the user as the unit leaves it: further steps start from that
 */
export async function stagePassword(
  unit: Unit<'session.revoked'>,
  user: UserRecord,
  wanted: NewPassword,
  { isNew = false, revokes = true }: PasswordSetting = {},
): Promise<UserRecord> {
  const { environmentId, id } = user;
  const [former, hashed] = await Promise.all([
    isNew ? undefined : passwords.get(environmentId, id),
    'password' in wanted ? unit.once(`hash password of ${id}`, () => ownHash(wanted.password)) : wanted,
  ]);
  const { write } =
    former === undefined
      ? passwords.create({ environmentId, id, owner: ownerKey('user', id), ...hashed })
      : passwords.revise(former, { saltPosition: undefined, ...hashed });
  unit.stage(write);
  if ('hash' in wanted) await stageDecoy(unit, environmentId, wanted.type, wanted.hash);
  if (isNew) return user;
  const revised = stageEndOfBegun(unit, user);
  if (revokes) await stageRevocationOfAll(unit, environmentId, id);
  const notice = former && (await composeNotice(user, passwordChangedMail, { at: clock.timestamp() }));
  if (notice !== undefined) unit.stage(notice);
  return revised;
}

/** Stages the removal of a user's password, where there is one. The caller revises the user's row. */
export async function stageRemovalOfPassword(unit: Unit<never>, environmentId: string, userId: string): Promise<void> {
  const record = await passwords.get(environmentId, userId);
  if (record !== undefined) unit.stage(passwords.remove(record));
}
