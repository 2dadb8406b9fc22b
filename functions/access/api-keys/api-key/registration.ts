import { readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { Failure, general } from '../../../kernel/errors.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { NO_USER } from '../owner/holder-state.ts';
import { type ApiKeyRecord, apiKeys } from './entity.ts';
import { stageKeyRevocation } from './erasure.ts';
import { readPermissions } from './permissions.ts';
import { hasEnded } from './rules.ts';
import { presentKey } from './schema.ts';
import { type KeyVerdict, newKey } from './stage.ts';
import { CUSTOMER_KEY_PREFIX } from './validate.ts';

/** The data of a key that is issued to the registration of an agent. */
interface RegistrationKey {
  organizationId: string;
  agentRegistrationId: string;
  /** The user of the agent; undefined if no user has claimed it. */
  userId: string | undefined;
  /** The membership of that user which justifies the key. */
  membershipId: string | undefined;
  name: string;
  /** Slugs of permissions that exist. */
  permissions: readonly string[];
}

/** Stages a key of an organization that was issued to the registration of an agent, with its event. Only the result has its value. */
export async function stageRegistrationKey(
  unit: Unit<'api_key.created'>,
  verdict: KeyVerdict,
  environmentId: string,
  { organizationId, agentRegistrationId, userId, membershipId, name, permissions: slugs }: RegistrationKey,
): Promise<{ record: ApiKeyRecord; value: string }> {
  // If a permission was removed in the meantime, the commit conflicts, and the next attempt reads the permissions again.
  const conflict = () => new Failure(general.concurrentRequest);
  const permissions = await readPermissions(environmentId, slugs, conflict);
  const { record, write, value } = newKey(
    verdict,
    environmentId,
    { organizationId, agentRegistrationId, actingFor: userId ?? NO_USER, membershipId },
    { name, ...permissions },
  );
  unit.announce({ record, write }, 'api_key.created', presentKey, { organizationId });
  return { record, value };
}

/** Stages the revocation of a key with its event; no effect if it no longer exists. */
export async function stageRevocationById(
  unit: Unit<'api_key.revoked'>,
  environmentId: string,
  id: string | undefined,
): Promise<void> {
  const record = id === undefined ? undefined : await apiKeys.get(environmentId, id);
  if (record !== undefined) stageKeyRevocation(unit, record);
}

/**
 * Finds the key of a value unless it is revoked or expired, by one strongly consistent GetItem. It writes nothing and does
 * not check whether the owner of the key still exists.
 */
export async function findUnendedKey(environmentId: string, value: string): Promise<ApiKeyRecord | undefined> {
  const read = readKey(CUSTOMER_KEY_PREFIX, value);
  const record = read && (await apiKeys.get(environmentId, `api_key_${read.ulid}`));
  if (read === undefined || record === undefined || !constantTimeEqual(record.hash, read.hash)) return undefined;
  return hasEnded(record.endsAt, clock.now()) ? undefined : record;
}
