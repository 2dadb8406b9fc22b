import { TtlCache } from '../../../kernel/memory.ts';
import { credentialCacheMs } from '../../../kernel/settings.ts';
import { findHolderState, type Holder, type HolderState } from '../../modules/credential-holders/public.ts';
import type { ApiKeyRecord } from '../api-key/entity.ts';

/**
 * The state of holders of valid keys. Others are not cached, so a negative result is always
 * current.
 */
const held = new TtlCache<HolderState>(10_000, credentialCacheMs);

/**
 * Finds the holder of a key: its organization; for the key of a user the user, who owned the account when the key was created,
 * and the membership; for the key of an agent also the stops. It is read at most once in five seconds
 * (GATEHOUSE_CREDENTIAL_CACHE_MS) for each holder and instance. So a key whose holder was deleted, left the organization or was
 * stopped becomes invalid within that time, however long the removal of its row takes.
 * @returns undefined if the key no longer has an effect
 */
export function findKeyHolder(environmentId: string, holder: Holder): Promise<HolderState | undefined> {
  return held.load(JSON.stringify([environmentId, holder]), async () => {
    const holderState = await findHolderState(environmentId, holder);
    return holderState.end === undefined ? holderState : undefined;
  });
}

/**
 * The holder of a key; undefined for a key of an agent from before keys named the user of the agent: the agent must request
 * another one.
 */
export function makeHolder(record: ApiKeyRecord): Holder | undefined {
  const { organizationId, agentRegistrationId, actingFor, membershipId, createdAt } = record;
  if (agentRegistrationId === undefined) {
    const { userId, ownershipEpoch = 0 } = record;
    const isOfUser = userId !== undefined;
    return isOfUser ? { organizationId, userId, ownershipEpoch, requires: membershipId ?? 'any' } : { organizationId };
  }
  if (actingFor === undefined) return undefined;
  const userId = actingFor === NO_USER ? undefined : actingFor;
  return { organizationId, userId, requires: membershipId, agentSince: createdAt };
}

/** The value of `actingFor` of an agent that no user has claimed. */
export const NO_USER = 'none';
