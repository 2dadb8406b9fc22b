import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/**
 * How far a sign-in has come in the one browser that it began to fill forms in. Its id is the sign-in's: one GetItem.
 * What people entered is sealed under that browser's cookie, so that nobody else, and no copy of the table, can go on with it.
 */
const HostedFlowEntity = entity({
  model: model('hosted-flow'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** SHA-256 of the browser's cookie. */
    browserHash: { type: 'string', required: true },
    /** `FlowState`, sealed. */
    sealed: { type: 'any', required: true },
    /** Where its application is, for whoever comes back too late. */
    home: { type: 'string' },
  },
  indexes: { primary: recordKey('hosted-flow') },
});

export type HostedFlowRecord = RecordOf<typeof HostedFlowEntity>;
export const hostedFlows = collection(HostedFlowEntity);
