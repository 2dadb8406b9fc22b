import { mintKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { newUlid } from '../../../kernel/ids.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Change } from '../../../kernel/storage/record-writes.ts';
import type { Entry, MintingVerdict, Verdict } from '../../../tenancy/modules/trust/public.ts';
import { type ApiKeyRecord, apiKeys } from './entity.ts';
import { hasEnded } from './rules.ts';
import { CUSTOMER_KEY_PREFIX } from './validate.ts';

/** The data of a new key. */
export interface WantedKey {
  name: string;
  permissions: string[];
  permissionIds: string[];
  expires_at?: string | undefined;
}

/** The records that justify a new key. */
interface KeyOwner {
  organizationId: string;
  userId?: string;
  ownershipEpoch?: number;
  agentRegistrationId?: string;
  actingFor?: string;
  membershipId?: string | undefined;
}

/** The permission to make a key: by the caller of the API, or by the sign-in of the person of an agent. */
export type KeyVerdict = MintingVerdict | Verdict<Entry>;

/** A new key with its value, which is not stored. Keys are erased with their organization, users' keys included. */
export function newKey(
  _: KeyVerdict,
  environmentId: string,
  owner: KeyOwner,
  { name, permissions, permissionIds, expires_at: endsAt }: WantedKey,
): Change<ApiKeyRecord> & { value: string } {
  const ulid = newUlid();
  const { value, hash, lastFour } = mintKey(CUSTOMER_KEY_PREFIX, ulid);
  const { record, write } = apiKeys.create({
    environmentId,
    id: `api_key_${ulid}`,
    owner: ownerKey('organization', owner.organizationId),
    holderId: owner.userId ?? owner.organizationId,
    ...owner,
    name,
    hash,
    lastFour,
    permissions,
    permissionIds,
    endsAt,
  });
  return { record, write, value };
}

/**
 * Checks that an expiry is in the future.
 * @throws a rejection if the expiry is in the past
 */
export function requireFuture(endsAt: string | undefined, invalid: (issues: readonly Issue[]) => Failure): void {
  if (hasEnded(endsAt, clock.now())) {
    throw invalid([{ field: 'expires_at', code: 'too_small', message: 'must be in the future' }]);
  }
}
