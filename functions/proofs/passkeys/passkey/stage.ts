import { clock } from '../../../kernel/clock.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { passkeyAddedMail } from '../../../kernel/messages/templates/factor-notice.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { claim, release } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { composeNotice, type UserRecord, userExistsCheck } from '../../../tenancy/modules/users/public.ts';
import {
  makeCredentialValue,
  makeHolder,
  MOST_PASSKEYS,
  type PasskeyRecord,
  passkeys,
  userPasskeys,
} from './entity.ts';

/** The data of a new passkey. */
export interface NewPasskey extends Pick<
  PasskeyRecord,
  'credentialId' | 'publicKey' | 'counter' | 'rpId' | 'userHandle' | 'canBeBackedUp' | 'isBackedUp' | 'verifiesUser'
> {
  transports: readonly string[];
  /** The name; by default one by the kind of authenticator. */
  name?: string | undefined;
  /** The original times of an imported passkey (ISO 8601). */
  createdAt?: string | undefined;
  lastUsedAt?: string | undefined;
}

/** The options of an addition. */
export interface Addition {
  /** The error for a credential that the environment already has; without it the call is applied again. */
  otherwise?: Failure | undefined;
  /** True for an import, of which the user is not notified. */
  isSilent?: boolean | undefined;
}

/**
 * Stages a new passkey and a mail to its owner. The credential is unique in its environment.
 * @returns undefined if the user has as many as a user may have: nothing is staged
 */
export async function stagePasskey(
  unit: Pick<Unit, 'stage'>,
  user: UserRecord,
  { name, createdAt, transports, ...content }: NewPasskey,
  { otherwise, isSilent = false }: Addition = {},
): Promise<PasskeyRecord | undefined> {
  const { environmentId, id: userId } = user;
  const owner = ownerKey('user', userId);
  const listed = await userPasskeys.get(environmentId, userId);
  const former = listed?.passkeyIds ?? [];
  if (former.length >= MOST_PASSKEYS) return undefined;
  const id = newId('passkey');
  const { record, write } = passkeys.create(
    {
      environmentId,
      id,
      owner,
      userId,
      name: name ?? nameByKind(transports),
      ...content,
      transports: [...transports],
    },
    createdAt,
  );
  const passkeyIds = [...former, id];
  const { userHandle } = content;
  const list =
    listed === undefined
      ? userPasskeys.create({ environmentId, id: userId, owner, userHandle, passkeyIds })
      : userPasskeys.revise(listed, { passkeyIds });
  unit.stage([write, list.write, userExistsCheck(environmentId, userId)]);
  unit.stage(claim(makeCredentialValue(environmentId, content.credentialId), makeHolder(record), owner), otherwise);
  const values = { at: clock.timestamp(), name: record.name };
  const notice = isSilent ? undefined : await composeNotice(user, passkeyAddedMail, values);
  if (notice !== undefined) unit.stage(notice);
  return record;
}

/** The name of a passkey until its user gives it another. */
const nameByKind = (transports: readonly string[]): string =>
  transports.some((transport) => EXTERNAL.has(transport)) && !transports.includes('internal')
    ? 'Security key'
    : 'Passkey';

/** The transports of security keys, which are separate devices. */
const EXTERNAL: ReadonlySet<string> = new Set(['usb', 'nfc', 'ble', 'smart-card']);

/** Stages another name of a passkey. */
export function stagePasskeyName(unit: Pick<Unit, 'stage'>, passkey: PasskeyRecord, name: string): PasskeyRecord {
  const { record, write } = passkeys.revise(passkey, { name });
  unit.stage(write);
  return record;
}

/** Stages the removal of a passkey from its user's list, with its unique value. */
export async function stageRemovalOfPasskey(unit: Pick<Unit, 'stage'>, passkey: PasskeyRecord): Promise<void> {
  const { environmentId, id, userId, credentialId } = passkey;
  unit.stage([
    passkeys.remove(passkey),
    release(makeCredentialValue(environmentId, credentialId), makeHolder(passkey)),
  ]);
  const listed = await userPasskeys.get(environmentId, userId);
  if (listed === undefined) return;
  unit.stage(userPasskeys.revise(listed, { passkeyIds: listed.passkeyIds.filter((other) => other !== id) }).write);
}

/** Stages the removal of all passkeys of a user, by at most 41 writes. */
export async function stageRemovalOfPasskeys(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  userId: string,
): Promise<void> {
  const listed = await userPasskeys.get(environmentId, userId);
  if (listed === undefined) return;
  const owned = await passkeys.getMany(environmentId, listed.passkeyIds);
  unit.stage(userPasskeys.remove(listed));
  for (const passkey of owned) {
    unit.stage([
      passkeys.remove(passkey),
      release(makeCredentialValue(environmentId, passkey.credentialId), makeHolder(passkey)),
    ]);
  }
}
