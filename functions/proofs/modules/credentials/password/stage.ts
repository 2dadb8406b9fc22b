import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { passwordChangedMail } from '../../../../kernel/messages/templates/account-notice.ts';
import type { RequestOfMail } from '../../../../kernel/messages/templates/request-facts.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { stageRevocationOfAll } from '../../../../tenancy/sessions/public.ts';
import {
  composeNotice,
  invalidatePendingCredentials,
  type UserRecord,
} from '../../../../tenancy/modules/users/public.ts';
import type { NewPassword } from './body.ts';
import { ownHash } from './check.ts';
import { stageDecoy } from './decoys.ts';
import { passwords } from './entity.ts';

/** Options of setting a user's password. */
export interface PasswordSetting {
  /** True for a user that the same unit creates: there are no sessions to revoke, and no notice is sent. */
  isNew?: boolean;
  /** True (the default) if the user's sessions are revoked. */
  revokes?: boolean;
  /** The request of the browser that changes the password, which the mail describes; absent for a call of a back end. */
  request?: RequestOfMail;
}

/**
 * Stages a user's password. One in plain text is hashed here (once in a call, about 30 ms); a hash is stored until the next
 * sign-in replaces it. A revision of the user's row invalidates earlier credentials (links for a reset, pending sign-ins)
 * and makes a concurrent sign-in conflict. The sessions are revoked and the user is notified by mail. The caller checks the
 * password's strength with `rejectWeakPassword`.
 * @returns the user in the state that the unit of work writes: further steps continue with it
 */
export async function stagePassword(
  unit: Unit<'session.revoked'>,
  user: UserRecord,
  wanted: NewPassword,
  { isNew = false, revokes = true, request }: PasswordSetting = {},
): Promise<UserRecord> {
  const { environmentId, id } = user;
  const [former, hashed] = await awaitAll([
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
  const revised = invalidatePendingCredentials(unit, user);
  if (revokes) await stageRevocationOfAll(unit, environmentId, id);
  const notice = former && (await composeNotice(user, passwordChangedMail, { at: clock.timestamp(), request }));
  if (notice !== undefined) unit.stage(notice);
  return revised;
}

/** Stages the removal of a user's password, if there is one. The caller revises the user's row. */
export async function stageRemovalOfPassword(unit: Unit<never>, environmentId: string, userId: string): Promise<void> {
  const record = await passwords.get(environmentId, userId);
  if (record !== undefined) unit.stage(passwords.remove(record));
}
