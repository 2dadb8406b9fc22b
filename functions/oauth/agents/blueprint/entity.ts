import type { INSTANCE_TYPES } from '../../../kernel/events/catalogue/agents.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import type { UniqueValue } from '../../../kernel/storage/unique.ts';

const texts = { type: 'list', items: { type: 'string' }, required: true } as const;

const BlueprintEntity = entity({
  model: model('agent-blueprint'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    name: { type: 'string', required: true },
    description: { type: 'string' },
    /**
     * The permissions that its sessions can have at most: their slugs and, in the same order, their ids. A permission that
     * was deleted and created again with the same slug has another id and does not count.
     */
    permissions: texts,
    permissionIds: texts,
    /** The roles whose members may open sessions: their slugs and ids. If empty, any member may. */
    roleSlugs: texts,
    roleIds: texts,
    /**
     * The organizations in which sessions may be opened; any if empty. The id of a deleted organization stays in the list,
     * because an empty list would allow every organization.
     */
    organizationIds: texts,
    /** A list of {@link InstanceType}: the instances that may get tokens. All may if it is absent. */
    instanceTypes: { type: 'any' },
    /** {@link SessionLimits}. Absent only in imported rows. */
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

/** `delegated` for an instance that acts for a user, otherwise `autonomous`. */
export type InstanceType = (typeof INSTANCE_TYPES)[number];

interface Stored extends Omit<RecordOf<typeof BlueprintEntity>, 'sessionSettings' | 'instanceTypes'> {
  sessionSettings?: SessionLimits;
  instanceTypes?: readonly InstanceType[];
}

export type BlueprintRecord = Stored;

/** Blueprints of an environment: `get` is one GetItem, and `list` by `byCreation` one Query for each page. */
export const blueprints = collection(BlueprintEntity, {
  events: ['agent.blueprint.created', 'agent.blueprint.updated', 'agent.blueprint.deleted'],
});

/** Reads a blueprint by one strongly consistent GetItem. */
export const findBlueprint = (environmentId: string, id: string): Promise<BlueprintRecord | undefined> =>
  blueprints.get(environmentId, id);

/** The unique name of a blueprint in its environment. */
export const nameOf = (environmentId: string, value: string): UniqueValue => ({
  environmentId,
  kind: 'agent_blueprint.name',
  value,
});
