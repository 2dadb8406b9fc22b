import { UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { clock } from '../clock.ts';
import { mapConcurrently } from '../concurrency.ts';
import { tableClient } from './client.ts';
import { environments } from './environment.ts';
import { EPOCH_COPY_MS, sendUnguarded } from './epoch.ts';
import { isConditionFailure } from './faults.ts';

/**
 * Time limit in ms of a call of the API, which ends after 29 seconds. A worker may run longer, but compares the epoch before each write,
 * and the table's client ends a write, with its retry, after twelve seconds.
 */
const LONGEST_CALL_MS = 30_000;

/** Time in ms after which no deployment with another epoch writes: the age of its copy, and the call that used it last. */
export const FENCE_WAIT_MS = EPOCH_COPY_MS + LONGEST_CALL_MS;

/** Number of rows that are changed at once. */
const WIDTH = 25;

/** The environments of a fence. */
export interface Fenced {
  /** The ids of environments whose only writer is now the deployment with the epoch. */
  moved: string[];
  /** The ids of environments that do not exist, or whose epoch is the same or higher: nothing was changed. */
  left: string[];
}

/**
 * Makes the deployment with an epoch the only writer of environments: closes them for every writer, waits until the calls of the
 * former one have ended, and opens them. It can be interrupted and run again; until then no deployment writes.
 * @param to at least 1, and higher than the epochs of the environments
 * @param wait waits for a number of milliseconds
 */
export async function fence(
  environmentIds: readonly string[],
  to: number,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<Fenced> {
  const closing = await changeEach(environmentIds, {
    UpdateExpression: 'SET writerEpoch = :to, fencedAt = :now, updatedAt = :now ADD version :one',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(writerEpoch) OR writerEpoch < :to OR (writerEpoch = :to AND attribute_exists(fencedAt)))',
    ExpressionAttributeValues: { ':to': to, ':now': clock.timestamp(), ':one': 1 },
  });
  if (closing.done.length === 0) return { moved: [], left: closing.failed };
  await wait(FENCE_WAIT_MS);
  const opening = await changeEach(closing.done, {
    UpdateExpression: 'SET updatedAt = :now REMOVE fencedAt ADD version :one',
    ConditionExpression: 'writerEpoch = :to',
    ExpressionAttributeValues: { ':to': to, ':now': clock.timestamp(), ':one': 1 },
  });
  return { moved: opening.done, left: [...closing.failed, ...opening.failed] };
}

type Change = Omit<UpdateCommand['input'], 'TableName' | 'Key'>;

/** Changes the row of each environment whose condition holds. The version changes, so that no other change of the row undoes it. */
async function changeEach(ids: readonly string[], change: Change): Promise<{ done: string[]; failed: string[] }> {
  const changed = await mapConcurrently(ids, WIDTH, (id) => changeOne(id, change));
  return {
    done: ids.filter((_, at) => changed[at] === true),
    failed: ids.filter((_, at) => changed[at] !== true),
  };
}

async function changeOne(id: string, change: Change): Promise<boolean> {
  const { TableName, Key } = environments.keyOf({ environmentId: id, id });
  try {
    await sendUnguarded(tableClient(), new UpdateCommand({ TableName, Key, ...change }));
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return false;
  }
}
