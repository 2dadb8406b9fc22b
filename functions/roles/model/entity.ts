import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { environmentKey, model, recordAttributes } from '../../kernel/storage/record.ts';

/**
 * The rows of an environment's model in one partition: resource types, permissions, environment roles, and one row with
 * the order of the roles. At most 50 + 1,000 + 200 + 1 of them, so that the whole model is one strongly consistent
 * Query (a round trip for each megabyte). They are never read individually: `load.ts` caches them by the version of
 * their head.
 */
const ModelEntity = entity({
  model: model('authz-model'),
  attributes: {
    ...recordAttributes,
    kind: { type: ['type', 'permission', 'role', 'order'] as const, required: true, readOnly: true },
    /** Of all but the order. Never changed. */
    slug: { type: 'string', readOnly: true },
    name: { type: 'string' },
    description: { type: 'string' },
    /** Of a permission or role: the slug of its type. */
    resourceType: { type: 'string', readOnly: true },
    /** For a role: ids of permissions. Those that the model no longer has are ignored. */
    permissionIds: { type: 'any' },
    /** For a type: slugs of the possible types of its parents. */
    parentTypes: { type: 'any' },
    /** For a type: it is being removed, with its resources. */
    isLeaving: { type: 'boolean' },
    /**
     * For the order: ids of roles, the highest priority first. A role that is not listed comes after those, by its id.
     */
    roleIds: { type: 'any' },
    /** For the order: the role of a membership without an explicit one. */
    defaultRoleId: { type: 'string' },
  },
  indexes: { primary: environmentKey('authz-model') },
});

export type ModelRow = RecordOf<typeof ModelEntity>;

/** All members are silent: types of resources and the order of roles have no events. */
export const modelRows = collection(ModelEntity, 'silent');

/** The id of the row with the order of the roles. */
export const ORDER_ID = 'order';

/** The id of a type's row: types have no id of their own in the API. */
export const typeRowId = (slug: string): string => `type#${slug}`;

/** The name of the head that has the model's version. */
export const MODEL_HEAD = 'authz-model';

/** All rows of a model: one strongly consistent Query, and one more for each further megabyte. */
export async function readModelRows(environmentId: string): Promise<ModelRow[]> {
  const { data } = await modelRows.entity().query.primary({ environmentId }).go({ consistent: true, pages: 'all' });
  return data;
}
