import { UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { clock } from '../clock.ts';
import { log } from '../log.ts';
import { tableClient } from './client.ts';
import { isConditionFailure } from './faults.ts';

/** Minimum interval in ms between two stamps of a secret's use. */
const STAMP_EVERY_MS = 60_000;

/** The time of the last stamp that a caller knows, in ms since the epoch; it is set by {@link stampUse}. */
export interface LastStamp {
  stampedAt: number;
}

/** The last stamp that a record of a secret shows. */
export const readLastStamp = ({ lastUsedAt }: { lastUsedAt?: string | undefined }): LastStamp => ({
  stampedAt: lastUsedAt === undefined ? -Infinity : Date.parse(lastUsedAt),
});

/** The collection of a kind of secret, whose rows have `hash`, `lastUsedAt`, and `endsAt` if they expire. */
interface Secrets {
  keyOf: (key: object) => { TableName: string; Key: object };
}

/**
 * Stores the time of a secret's use unless that was done within the last minute. It is one conditional UpdateItem, which has
 * no effect if the secret was deleted or has expired, was stamped by another call, or has another value. So it may be sent
 * before the value is compared. It does not change the record's version, so it never conflicts with a change.
 *
 * A failure does not fail the call. The write is awaited, because Lambda freezes work that is running after the response.
 */
export async function stampUse(
  secrets: Secrets,
  { environmentId, id, hash }: { environmentId: string; id: string; hash: string },
  last: LastStamp,
): Promise<void> {
  const now = clock.now();
  if (now - last.stampedAt < STAMP_EVERY_MS) return;
  last.stampedAt = now;
  await stamp(
    secrets,
    { environmentId, id },
    {
      UpdateExpression: 'SET lastUsedAt = :now',
      ConditionExpression:
        '#hash = :hash AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :before)' +
        ' AND (attribute_not_exists(endsAt) OR endsAt > :now)',
      ExpressionAttributeNames: { '#hash': 'hash' },
      ExpressionAttributeValues: {
        ':hash': hash,
        ':now': new Date(now).toISOString(),
        ':before': new Date(now - STAMP_EVERY_MS).toISOString(),
      },
    },
  );
}

/**
 * Stores the day of a key's use, unless its record shows the day already: one conditional UpdateItem a day, which has no effect on a key
 * that was deleted. Otherwise like {@link stampUse}.
 */
export async function stampDay(
  keys: Secrets,
  { environmentId, id, lastUsedOn = '' }: { environmentId: string; id: string; lastUsedOn?: string | undefined },
): Promise<void> {
  const today = clock.timestamp().slice(0, 10);
  if (lastUsedOn >= today) return;
  await stamp(
    keys,
    { environmentId, id },
    {
      UpdateExpression: 'SET lastUsedOn = :today',
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedOn) OR lastUsedOn < :today)',
      ExpressionAttributeValues: { ':today': today },
    },
  );
}

async function stamp(
  secrets: Secrets,
  key: { environmentId: string; id: string },
  update: Omit<UpdateCommand['input'], 'TableName' | 'Key'>,
): Promise<void> {
  const { TableName, Key } = secrets.keyOf(key);
  try {
    await tableClient().send(new UpdateCommand({ TableName, Key: Key as Record<string, unknown>, ...update }));
  } catch (error) {
    if (!isConditionFailure(error)) log.warn('the use of a secret was not written down', { secret_id: key.id, error });
  }
}
