import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/**
 * The state with which the hosted pages continue. Its id is the hash of the cookie in one browser, so it is read by one
 * GetItem.
 */
const SocialHandoverEntity = entity({
  model: model('social-handover'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** {@link Handover}, encrypted under the cookie and the sign-in's id. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('social-handover') },
});

export type SocialHandoverRecord = RecordOf<typeof SocialHandoverEntity>;
export const socialHandovers = collection(SocialHandoverEntity, 'internal');
