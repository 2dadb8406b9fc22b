import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  environmentKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../kernel/storage/record.ts';

/**
 * The rows of an environment's model in one partition: resource types, permissions, environment roles, and one row with the
 * order of the roles. There are at most 50 + 1,000 + 200 + 1, so that the whole model is one strongly consistent Query (a
 * round trip for each megabyte). They are never read individually: `load.ts` caches them by their version, which is stored
 * in a separate row.
 */
const ModelEntity = entity({
  model: model('authz-model'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    kind: { type: ['type', 'permission', 'role', 'order'] as const, required: true, readOnly: true },
    /** The slug, which never changes; the row of the order has none. */
    slug: { type: 'string', readOnly: true },
    name: { type: 'string' },
    description: { type: 'string' },
    /** The slug of a permission's or role's type. */
    resourceType: { type: 'string', readOnly: true },
    /** The ids of a role's permissions. Permissions that the model no longer has are ignored. */
    permissionIds: { type: 'any' },
    /** The slugs of the types that a type's parents can have. */
    parentTypes: { type: 'any' },
    /** True if a type is being removed with its resources. */
    isLeaving: { type: 'boolean' },
    /** The ids of roles in their order, the highest priority first. A role that is not listed follows, by its id. */
    roleIds: { type: 'any' },
    /** The role of a membership for which a request names none. */
    defaultRoleId: { type: 'string' },
  },
  indexes: { primary: environmentKey('authz-model'), owned: ownedIndex },
});

export type ModelRow = RecordOf<typeof ModelEntity>;

/** Changes of these rows need no event here: types of resources and the order of roles have none. */
export const modelRows = collection(ModelEntity, 'silent');

/** The id of the row with the order of the roles. */
export const ORDER_ID = 'order';

/** The id of a type's row, since types have no id of their own in the API. */
export const typeRowId = (slug: string): string => `type#${slug}`;

/** The name of the row with the model's version. */
export const MODEL_HEAD = 'authz-model';

/** All rows of a model, by one strongly consistent Query, and one more for each further megabyte. */
export const readModelRows = (environmentId: string): Promise<ModelRow[]> =>
  modelRows.list('primary', { environmentId }).toArray();
