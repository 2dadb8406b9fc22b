import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { awsClient, type AwsClient } from '../../../functions/kernel/aws/call.ts';
import { type AwsAttempt, type AwsReply, useTransport } from '../../../functions/kernel/aws/transport.ts';

const service = {
  variable: 'DYNAMODB',
  name: 'dynamodb',
  target: 'DynamoDB_20120810',
  contentType: 'application/x-amz-json-1.0',
} as const;

const replyWith = (status: number, __type: string): AwsReply => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${__type}`, message: 'why' },
  requestId: 'request',
});

let sent: AwsAttempt[] = [];
/** The replies and failures of the next attempts; afterwards each succeeds. */
let next: (AwsReply | Error)[] = [];
let former: ReturnType<typeof useTransport>;
let call: AwsClient;

beforeEach(() => {
  [sent, next] = [[], []];
  former = useTransport(async (attempt) => {
    sent.push(attempt);
    const reply = next.shift() ?? { status: 200, body: { done: true } };
    if (reply instanceof Error) throw reply;
    return reply;
  });
  call = awsClient({ service, maxAttempts: 2 });
});
afterEach(() => void useTransport(former));

const failure = (members: object): Error => Object.assign(new Error('failed'), members);

describe('a call of AWS', () => {
  test.each([
    ['throttles', replyWith(400, 'ProvisionedThroughputExceededException')],
    ['has an internal error', replyWith(500, 'InternalServerError')],
    ['does not respond in time', failure({ name: 'TimeoutError' })],
    ['closes the connection', failure({ code: 'ECONNRESET' })],
  ])('is attempted again if the service %s', async (_, first) => {
    next = [first];
    expect(await call('GetItem', { TableName: 'records' })).toEqual({ done: true });
    expect(sent.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem']);
  });

  test.each([
    ['a condition fails', replyWith(400, 'ConditionalCheckFailedException')],
    ['it is not valid', replyWith(400, 'ValidationException')],
    ['its caller aborts it', failure({ name: 'AbortError' })],
  ])('is attempted once if %s', async (_, first) => {
    next = [first];
    await expect(call('PutItem', {})).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });

  test('fails with the name, message, members and metadata of the last response', async () => {
    next = [replyWith(500, 'InternalServerError'), replyWith(400, 'ConditionalCheckFailedException')];
    (next[1] as AwsReply).body.Item = { id: { S: 'a' } };
    await expect(call('PutItem', {})).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'why',
      Item: { id: { S: 'a' } },
      $metadata: { httpStatusCode: 400, attempts: 2, requestId: 'request' },
    });
  });

  test('has no second attempts while most calls fail, and has them again after successful calls', async () => {
    const fail = async (): Promise<number> => {
      sent = [];
      next = [failure({ name: 'TimeoutError' }), failure({ name: 'TimeoutError' })];
      await call('GetItem', {}).catch(() => undefined);
      next = [];
      return sent.length;
    };
    let attempts = 2;
    let failed = 0;
    for (; attempts === 2; failed += 1) attempts = await fail();
    expect(failed).toBe(51);
    for (let at = 0; at < 10; at += 1) await call('GetItem', {});
    expect(await fail()).toBe(2);
  });
});
