import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** What the hosted pages go on with. Its id is the hash of the one browser's cookie: one GetItem. */
const SocialHandoverEntity = entity({
  model: model('social-handover'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** {@link Handover}, sealed under the cookie and the sign-in's id. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('social-handover') },
});

export type SocialHandoverRecord = RecordOf<typeof SocialHandoverEntity>;
export const socialHandovers = collection(SocialHandoverEntity);
