import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A sign-in on its way through a browser, from GET /user_management/authorize to its code. One GetItem by its token's hash. */
const LoginFlowEntity = entity({
  model: model('login-flow'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** What was asked for, sealed under the token that the browser carries. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('login-flow') },
});

export type LoginFlowRecord = RecordOf<typeof LoginFlowEntity>;
export const loginFlows = collection(LoginFlowEntity);
