import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';
import type { UniqueValue } from '../../kernel/storage/unique.ts';

const texts = { type: 'list', items: { type: 'string' }, required: true } as const;

const BlueprintEntity = entity({
  model: model('agent-blueprint'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    name: { type: 'string', required: true },
    description: { type: 'string' },
    /** The ceiling: slugs, and the ids of the same permissions. One that was created again under a slug is another one. */
    permissions: texts,
    permissionIds: texts,
    /** The roles that may mint: slugs, and the ids of the same roles. Empty is any member. */
    roleSlugs: texts,
    roleIds: texts,
    /**
     * The organizations in which it may mint; empty is any. The id of a deleted organization stays, so that a list that lost all
     * of them admits none.
     */
    organizationIds: texts,
    /** {@link SessionLimits}. Absent only in rows that this service did not write. */
    sessionSettings: { type: 'any' },
  },
  indexes: { primary: recordKey('agent-blueprint'), byCreation: creationIndex('agent-blueprint'), owned: ownedIndex },
});

/** The lifetimes of a blueprint's sessions and tokens, in seconds. */
export interface SessionLimits {
  maxAge: number;
  accessTtl: number;
  refreshTtl: number;
}

interface Stored extends Omit<RecordOf<typeof BlueprintEntity>, 'sessionSettings'> {
  sessionSettings?: SessionLimits;
}

export type BlueprintRecord = Stored;

/** Blueprints of an environment: `get` one GetItem, `list` by `byCreation` one Query. */
export const blueprints = collection(BlueprintEntity, {
  events: ['agent.blueprint.created', 'agent.blueprint.updated', 'agent.blueprint.deleted'],
});

/** A blueprint: one strongly consistent GetItem. */
export const findBlueprint = (environmentId: string, id: string): Promise<BlueprintRecord | undefined> =>
  blueprints.get(environmentId, id);

/** The name of a blueprint, unique in its environment. */
export const nameOf = (environmentId: string, value: string): UniqueValue => ({
  environmentId,
  kind: 'agent_blueprint.name',
  value,
});

/** The owner of a blueprint's sessions, with which they are erased. */
export const ownerOfSessions = (blueprintId: string): string => `agent_blueprint#${blueprintId}`;
