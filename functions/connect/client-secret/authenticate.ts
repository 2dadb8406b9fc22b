import { readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { log } from '../../kernel/log.ts';
import { type ApplicationRecord, findApplication } from '../application/entity.ts';
import { clientSecrets, type ClientSecretRecord } from './entity.ts';

/** Prefix of client secrets, by which secret scanners recognize them. */
export const CLIENT_SECRET_PREFIX = 'cs_';

/** Minimum interval in ms between two updates of the last use of a secret. */
const STAMP_EVERY_MS = 60_000;

/**
 * Finds the application of a client id by one of its secrets. Returns undefined for an unknown client, and for a secret
 * that is unknown, deleted or another application's. It takes one round trip, and a write once a minute: the value names
 * its row, whose hash is compared in constant time.
 */
export async function authenticateClient(
  environmentId: string,
  clientId: string,
  value: string,
): Promise<ApplicationRecord | undefined> {
  const read = readKey(CLIENT_SECRET_PREFIX, value);
  if (read === undefined) return undefined;
  const [application, secret] = await Promise.all([
    findApplication(environmentId, clientId),
    clientSecrets.get(environmentId, `secret_${read.ulid}`),
  ]);
  if (application === undefined || secret?.applicationId !== application.id) return undefined;
  if (!constantTimeEqual(secret.hash, read.hash)) return undefined;
  await stampUse(secret);
  return application;
}

/** Stores the use of a secret unless that was done within the last minute. A failure does not fail the call. */
async function stampUse({ environmentId, id, lastUsedAt }: ClientSecretRecord): Promise<void> {
  const now = clock.now();
  if (lastUsedAt !== undefined && now - Date.parse(lastUsedAt) < STAMP_EVERY_MS) return;
  try {
    await clientSecrets.entity().patch({ environmentId, id }).set({ lastUsedAt: clock.timestamp() }).go();
  } catch (error) {
    log.warn('the use of a client secret was not written down', { secret_id: id, error });
  }
}
