import { sha256Hex } from '../../kernel/keys/hash.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  childKey,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  recordAttributes,
} from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { claim, holderOf, releaseIfHeld, transfer, type UniqueValue } from '../../kernel/storage/unique.ts';

/** A user's account at a provider, for sign-in: in its user's partition; its id is the hash of its identification. */
const IdentityEntity = entity({
  model: model('identity'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    /** In the contract's spelling: `GoogleOAuth`. */
    provider: { type: 'string', required: true, readOnly: true },
    /** The issuer of the subject: an issuer URL (OpenID Connect Core 1.0 section 2), or the provider's address. */
    issuer: { type: 'string', required: true, readOnly: true },
    subject: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: childKey('identity', 'userId'), owned: ownedIndex },
});

export type IdentityRecord = RecordOf<typeof IdentityEntity>;
const identities = collection(IdentityEntity, 'internal');

/** The permanent identification of an account at a provider. An email is not one: addresses change their users. */
export interface IdentityName {
  provider: string;
  issuer: string;
  subject: string;
}

/** Maximum identities of a user: removing them all fits into a transaction with the other revocations. */
export const MAX_IDENTITIES = 10;

const idOf = ({ provider, issuer, subject }: IdentityName): string =>
  sha256Hex(JSON.stringify([provider, issuer, subject]));

const uniqueOf = (environmentId: string, id: string): UniqueValue => ({ environmentId, kind: 'identity', value: id });

/** The id of the user who has an identity: one strongly consistent GetItem. The user may have been deleted. */
export const identityHolder = (environmentId: string, name: IdentityName): Promise<string | undefined> =>
  holderOf(uniqueOf(environmentId, idOf(name)));

/** A user's identities in the order of their linking: one strongly consistent Query. */
export async function identitiesOf(environmentId: string, userId: string): Promise<IdentityRecord[]> {
  const found = await identities.list('primary', { environmentId, userId }, { scan: 'asc', limit: 100 });
  return found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

/**
 * Links an identity to a user, in the transaction that also revises the user.
 * @param deletedHolder The deleted user who still has it, whose rows are not removed yet. A concurrent link of the same
 *   identity conflicts and reads again.
 */
export async function stageIdentity(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  userId: string,
  name: IdentityName,
  deletedHolder?: string,
): Promise<IdentityRecord> {
  const id = idOf(name);
  const unique = uniqueOf(environmentId, id);
  const owner = ownerKey('user', userId);
  unit.stage(
    deletedHolder === undefined ? claim(unique, userId, owner) : transfer(unique, deletedHolder, userId, owner),
  );
  const former = await identities.get(environmentId, id, { userId });
  const { record, write } =
    former === undefined
      ? identities.create({ environmentId, id, owner, userId, ...name })
      : identities.revise(former, {});
  unit.stage(write);
  return record;
}

/**
 * Removes a user's identities, so that none of them signs in as this user any more: two writes each.
 * @param kept The one that stays, if the user has it.
 */
export async function stageRemovalOfIdentities(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  userId: string,
  kept?: IdentityName,
): Promise<void> {
  const keptId = kept && idOf(kept);
  for (const record of await identitiesOf(environmentId, userId)) {
    if (record.id === keptId) continue;
    unit.stage([identities.remove(record), releaseIfHeld(uniqueOf(environmentId, record.id), userId)]);
  }
}
