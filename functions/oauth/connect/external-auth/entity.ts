import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/** A sign-in that the environment's own application (`login_uri`) performs, until the browser returns: one GetItem by its id. */
const ExternalAuthEntity = entity({
  model: model('connect-external-auth'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** The token of the sign-in, encrypted under the id. */
    sealed: { type: 'any', required: true },

    /** The user who signed in at the environment's application. */
    userId: { type: 'string' },
    /** SHA-256 of the secret in the URL with which the browser returns. */
    returnHash: { type: 'string' },
    /** The {@link ConsentOption}s for the consent page. */
    options: { type: 'any' },
    /** The time of the completion, in milliseconds since the epoch. */
    completedAt: { type: 'number' },
  },
  indexes: { primary: recordKey('connect-external-auth') },
});

export type ExternalAuthRecord = RecordOf<typeof ExternalAuthEntity>;

export const externalAuths = collection(ExternalAuthEntity, 'internal');
