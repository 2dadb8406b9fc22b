import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  environmentKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../kernel/storage/record.ts';
import { workKind } from '../../../kernel/storage/work.ts';

/**
 * A flag. An environment has at most 500, in one partition, so that they are read together by a strongly consistent Query, and one more
 * for each further megabyte. They are never read individually: `set.ts` caches them by their version, which is stored in a separate row.
 */
const FlagEntity = entity({
  model: model('flag'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The slug, which is unique in the environment and never changes. */
    slug: { type: 'string', required: true, readOnly: true },
    name: { type: 'string', required: true },
    description: { type: 'string' },
    /** The person responsible for the flag, in the form of the API: `email`, `first_name`, `last_name`. */
    contact: { type: 'any' },
    tags: { type: 'any', required: true },
    enabled: { type: 'boolean', required: true },
    defaultValue: { type: 'boolean', required: true },
  },
  indexes: { primary: environmentKey('flag'), owned: ownedIndex },
});

export type FlagRecord = RecordOf<typeof FlagEntity>;

export const flagRows = collection(FlagEntity, {
  events: ['flag.created', 'flag.updated', 'flag.deleted', 'flag.rule_updated'],
});

/** All flags of an environment, by one strongly consistent Query, and one more for each further megabyte. */
export const readFlags = (environmentId: string): Promise<FlagRecord[]> =>
  flagRows.list('primary', { environmentId }).toArray();

/** The work that removes the targets of a deleted flag. */
export const flagRemoval = workKind<{ flagId: string }>('feature-flags.remove-targets', { runs: 1 });
