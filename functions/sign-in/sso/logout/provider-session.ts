import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { clock } from '../../../kernel/clock.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord, ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';

/** Seconds for which a session at a provider is stored: the longest lifetime of a session of the service. */
const KEPT_SECONDS = 30 * 86_400;

/**
 * A session at an OpenID provider (`sid`) and its user. The id is the hash of the connection and the `sid`, so it is read by
 * one GetItem.
 */
const ProviderSessionEntity = entity(
  ownedRecord('sso-provider-session', {
    ...expiringAttributes,
    userId: { type: 'string', required: true },
  }),
);

export const providerSessions = collection(ProviderSessionEntity, 'internal');

export const providerSessionId = (connectionId: string, sid: string): string =>
  sha256Hex(JSON.stringify([connectionId, sid]));

/** Stages the record that assigns a session at a provider to a user. A later sign-in in the same session replaces the user. */
export async function stageProviderSession(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id: connectionId }: { environmentId: string; id: string },
  sid: string,
  userId: string,
): Promise<void> {
  const id = providerSessionId(connectionId, sid);
  const expiresAt = clock.seconds() + KEPT_SECONDS;
  const former = await providerSessions.get(environmentId, id);
  const { write } =
    former === undefined
      ? providerSessions.create({ environmentId, id, owner: ownerKey('user', userId), userId, expiresAt })
      : providerSessions.revise(former, { userId, expiresAt });
  unit.stage(write);
}
