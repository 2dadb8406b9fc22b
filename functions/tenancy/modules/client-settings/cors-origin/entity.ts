import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  environmentKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../../kernel/storage/record.ts';

const CorsOriginEntity = entity({
  model: model('cors-origin'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The origin as browsers write it. */
    origin: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: environmentKey('cors-origins'), owned: ownedIndex },
});

export type CorsOriginRecord = RecordOf<typeof CorsOriginEntity>;

/**
 * Origins of an environment: `get` is one GetItem, and `list` by `primary` one Query, both strongly consistent. Calls are
 * checked against the row that `registerOrigin` writes with each origin.
 */
export const corsOrigins = collection(CorsOriginEntity, 'silent');
