import { readKey } from '../../../kernel/authentication/secret-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { readLastStamp, stampUse } from '../../../kernel/storage/last-use.ts';
import { type ApplicationRecord, findApplication } from '../application/entity.ts';
import { clientSecrets } from './entity.ts';

/** Prefix of client secrets, by which secret scanners recognize them. */
export const CLIENT_SECRET_PREFIX = 'cs_';

/**
 * Finds the application of a client id if the secret is one of its own. Returns undefined for an unknown client, and for a
 * secret that is unknown, deleted or another application's. The secret contains the id of its row, so it takes one round
 * trip, and a write once a minute. The hash is compared in constant time.
 */
export async function authenticateClient(
  environmentId: string,
  clientId: string,
  value: string,
): Promise<ApplicationRecord | undefined> {
  const read = readKey(CLIENT_SECRET_PREFIX, value);
  if (read === undefined) return undefined;
  const [application, secret] = await awaitAll([
    findApplication(environmentId, clientId),
    clientSecrets.get(environmentId, `secret_${read.ulid}`),
  ]);
  const ownHash = application?.secretHash;
  if (ownHash !== undefined && constantTimeEqual(ownHash, read.hash)) return application;
  if (application === undefined || secret?.applicationId !== application.id) return undefined;
  if (!constantTimeEqual(secret.hash, read.hash)) return undefined;
  await stampUse(clientSecrets, secret, readLastStamp(secret));
  return application;
}
