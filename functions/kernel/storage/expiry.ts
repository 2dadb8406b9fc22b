import { clock } from '../clock.ts';
import type { Write } from './write.ts';

/**
 * The write of a new record that may replace an expired one: DynamoDB deletes expired rows days late, so they count as
 * missing. It fails, like every creation, if an unexpired record has the id.
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
