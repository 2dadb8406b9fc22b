import { randomInt } from 'node:crypto';

import { awaitAll } from '../../../../kernel/concurrency.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import { ENVIRONMENT_OWNER, ownedRecord } from '../../../../kernel/storage/record.ts';
import type { Write } from '../../../../kernel/storage/write.ts';

/**
 * A stop of all agents of a target, active or lifted. Its row is kept after it was lifted, because what was issued before
 * the stop remains invalid.
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

const stops = collection(StopEntity, 'silent');

/** The kinds of targets of a stop. */
export type StopKind = 'environment' | 'organization' | 'user' | 'agent_blueprint';

/**
 * Number of copies of an environment's stop. Each validation reads one copy, and one row allows 3,000 strongly consistent
 * reads a second. To add copies, write them in one release and read them in the next.
 */
const COPIES = 8;

/** The ids of the rows of a target's stop: several for an environment. */
const rowIds = (kind: StopKind, id = ''): string[] =>
  kind === 'environment' ? Array.from({ length: COPIES }, (_, copy) => `environment#${copy}`) : [`${kind}#${id}`];

/** Reads the stop of a target, active or lifted, by one strongly consistent GetItem. */
export const findStop = (environmentId: string, kind: StopKind, id = ''): Promise<StopRecord | undefined> => {
  const ids = rowIds(kind, id);
  return stops.get(environmentId, ids[randomInt(ids.length)] ?? '');
};

/** The members of a stop that a request sets. */
export interface StopFields extends Pick<StopRecord, 'target' | 'reason' | 'stoppedAt'> {
  targetId: string | undefined;
  liftedAt: string | undefined;
}

/** The rows of a target's stop, which are copies of one record; the first is undefined if it was never stopped. */
export async function readStop(environmentId: string, kind: StopKind, id: string) {
  const ids = rowIds(kind, id);
  const rows = await awaitAll(ids.map((each) => stops.get(environmentId, each)));
  /** Makes the record with other members, and the writes of all its rows. */
  const change = (fields: StopFields): { record: StopRecord; writes: Write[] } => {
    const changes = ids.map((each, at) => {
      const former = rows[at];
      return former === undefined
        ? stops.create({ environmentId, id: each, owner: ENVIRONMENT_OWNER, ...fields })
        : stops.revise(former, fields);
    });
    const [first] = changes;
    if (first === undefined) throw new Error('A stop has no row');
    return { record: first.record, writes: changes.map(({ write }) => write) };
  };
  return { former: rows[0], change };
}
