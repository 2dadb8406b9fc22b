import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childIndex,
  creationIndex,
  ENVIRONMENT_OWNER,
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  recordKeyBy,
} from '../../../kernel/storage/record.ts';

/** An action with its newest schema, found by its name. */
const ActionEntity = entity({
  model: model('audit-action'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    name: { type: 'string', required: true, readOnly: true },
    latestVersion: { type: 'number', required: true },
    /** The time when the newest schema was created. */
    latestAt: { type: 'string', required: true },
    /** The newest schema as JSON. */
    latestBody: { type: 'string', required: true },
  },
  indexes: {
    primary: recordKeyBy('audit-action', 'name'),
    byCreation: creationIndex('audit-action'),
    owned: ownedIndex,
  },
});

/** One version of an action's schema; it never changes. */
const SchemaEntity = entity({
  model: model('audit-schema'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    action: { type: 'string', required: true, readOnly: true },
    schemaVersion: { type: 'number', required: true, readOnly: true },
    /** The schema as JSON. */
    body: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'audit-schema', 'action'),
      sk: { field: 'sk', composite: ['schemaVersion'], template: 'v${schemaVersion}', casing: 'none' },
    },
    byAction: childIndex('audit-schema', 'action'),
    owned: ownedIndex,
  },
});

export type ActionRecord = RecordOf<typeof ActionEntity>;
export type SchemaRecord = RecordOf<typeof SchemaEntity>;

/** The actions of an environment: `list` by `byCreation` is one Query. */
export const actions = collection(ActionEntity, 'silent');
/** The schemas of an action: `list` by `byAction` is one Query. */
export const schemas = collection(SchemaEntity, 'silent');

/** The owner of actions and schemas, which belong to the environment. */
export const SCHEMA_OWNER = ENVIRONMENT_OWNER;

/** An action by its name: one strongly consistent GetItem. */
export const findAction = (environmentId: string, name: string): Promise<ActionRecord | undefined> =>
  actions.get(environmentId, name, { name });

/** One version of an action's schema: one strongly consistent GetItem. */
export const findSchema = (
  environmentId: string,
  action: string,
  schemaVersion: number,
): Promise<SchemaRecord | undefined> => schemas.getAt({ environmentId, action, schemaVersion });

/** Reports whether an id is an action's: one Query over the list, which may not have the newest actions yet. */
export async function isAction(environmentId: string, id: string): Promise<boolean> {
  return (await actions.list('byCreation', { environmentId, id }).take(1)).length > 0;
}
