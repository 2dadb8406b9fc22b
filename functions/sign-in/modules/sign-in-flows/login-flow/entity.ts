import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../../kernel/storage/record.ts';

/**
 * A sign-in in progress in a browser, from GET /user_management/authorize until its code is issued. It is read by one
 * GetItem, by its token's hash.
 */
const LoginFlowEntity = entity({
  model: model('login-flow'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** The authorization request, encrypted under the token that the browser has. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('login-flow') },
});

export type LoginFlowRecord = RecordOf<typeof LoginFlowEntity>;
export const loginFlows = collection(LoginFlowEntity, 'internal');
