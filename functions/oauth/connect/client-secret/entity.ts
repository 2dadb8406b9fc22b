import { collection } from '../../../kernel/storage/collection.ts';
import { ownedRecord } from '../../../kernel/storage/record.ts';
import { type RecordOf, entity } from '../../../kernel/storage/entity.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import type { ApplicationRecord } from '../application/entity.ts';

/**
 * A client secret of an application. Its value contains the ULID of its id, so that a client is authenticated by reading
 * the application and this row in parallel. The value itself is not stored, only its hash.
 */
const ClientSecretEntity = entity(
  ownedRecord('connect-client-secret', {
    applicationId: { type: 'string', required: true, readOnly: true },
    /** SHA-256 of the value in hex. */
    hash: { type: 'string', required: true, readOnly: true },
    lastFour: { type: 'string', required: true, readOnly: true },
    /** The time of the last use (ISO 8601), exact to about a minute. */
    lastUsedAt: { type: 'string' },
  }),
);

export type ClientSecretRecord = RecordOf<typeof ClientSecretEntity>;

/** Client secrets: `get` is one GetItem; those of an application are read by `getMany`, with the ids in its row. */
export const clientSecrets = collection(ClientSecretEntity, 'silent');

/** The writes that remove all secrets of an application, at most ten. */
export const removalOfSecrets = ({ environmentId, secretIds }: ApplicationRecord): Write[] =>
  secretIds.map((id) => clientSecrets.removeByKey({ environmentId, id }));
