import { randomInt } from 'node:crypto';

import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { ownedRecord } from '../../kernel/storage/record.ts';

/**
 * A stop of all agents of a target, active or lifted. Its row is kept after it was lifted, because sessions that were opened
 * before the stop remain invalid, even if a worker revokes their rows later.
 */
const StopEntity = entity(
  ownedRecord('agent-stop', {
    target: { type: ['environment', 'organization', 'user', 'agent_blueprint'] as const, required: true },
    /** The id of the target; undefined for the environment. */
    targetId: { type: 'string' },
    reason: { type: 'string', required: true },
    /** The time of the stop (ISO 8601). */
    stoppedAt: { type: 'string', required: true },
    /** The time when it was lifted (ISO 8601); absent while it is active. */
    liftedAt: { type: 'string' },
  }),
);

export type StopRecord = RecordOf<typeof StopEntity>;

export const stops = collection(StopEntity, 'silent');

/** The kinds of targets of a stop. */
export type StopKind = 'environment' | 'organization' | 'user' | 'agent_blueprint';

/**
 * Number of copies of an environment's stop. Each validation reads one copy, and one row allows 3,000 strongly consistent
 * reads a second. To add copies, write them in one release and read them in the next.
 */
const COPIES = 8;

/** The ids of the rows of a target's stop: several for an environment. */
export const rowIds = (kind: StopKind, id = ''): string[] =>
  kind === 'environment' ? Array.from({ length: COPIES }, (_, copy) => `environment#${copy}`) : [`${kind}#${id}`];

/** Reads the stop of a target, active or lifted, by one strongly consistent GetItem. */
export const findStop = (environmentId: string, kind: StopKind, id = ''): Promise<StopRecord | undefined> => {
  const ids = rowIds(kind, id);
  return stops.get(environmentId, ids[randomInt(ids.length)] ?? '');
};

/** Reports whether a stop is active. */
export const isInForce = (stop: StopRecord | undefined): boolean => stop !== undefined && stop.liftedAt === undefined;

/** Reports whether a stop has ended a session that was opened at a time (ISO 8601). */
export const endsSession = (stop: StopRecord | undefined, createdAt: string): boolean =>
  stop !== undefined && (stop.liftedAt === undefined || createdAt <= stop.liftedAt);
