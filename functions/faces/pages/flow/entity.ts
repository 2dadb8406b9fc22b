import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/**
 * The state of a sign-in in the browser that began to fill in its forms. Its id is the sign-in's, so it is read by one
 * GetItem. The user's input is encrypted with a key from that browser's cookie, so that no other browser, and no copy of
 * the table, can continue with it.
 */
const HostedFlowEntity = entity({
  model: model('hosted-flow'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** SHA-256 of the browser's cookie. */
    browserHash: { type: 'string', required: true },
    /** The state of the flow: an encrypted `FlowState`. */
    sealed: { type: 'any', required: true },
    /** The address of its application, for a user who returns too late. */
    home: { type: 'string' },
  },
  indexes: { primary: recordKey('hosted-flow') },
});

export type HostedFlowRecord = RecordOf<typeof HostedFlowEntity>;
export const hostedFlows = collection(HostedFlowEntity, 'internal');
