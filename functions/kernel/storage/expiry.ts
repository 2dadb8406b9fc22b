import { clock } from '../clock.ts';
import type { Write } from './write.ts';

/**
 * The write of a new record that may stand in the place of an expired one: DynamoDB deletes those days late, so one that
 * has expired is as good as gone. Fails, like every creation, where one that has not expired has the id.
 */
export function inPlaceOfExpired({ params }: Write): Write {
  return {
    kind: 'Put',
    params: {
      ...params,
      ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
      ExpressionAttributeValues: { ':now': clock.seconds() },
    },
  };
}
