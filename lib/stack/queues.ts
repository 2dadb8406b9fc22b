import { Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import * as sqs from 'aws-cdk-lib/aws-sqs';

import type { Queue } from '../topology/model.ts';
import { named, pascal } from './names.ts';

/** The queues of a stage. */
export interface Queues {
  /** @throws Error for a queue that the topology does not have. */
  of: (name: string) => sqs.Queue;
  work: readonly sqs.Queue[];
  deadLetters: readonly sqs.Queue[];
  /** Positions in the stream that the relay gave up on. */
  relayDeadLetters: sqs.Queue;
  /** Events that a worker on the bus gave up on, or that a rule could not hand to it. */
  workerDeadLetters: sqs.Queue;
}

/** Adds each queue with its dead letters, and the dead letters of relay and workers. */
export function addQueues(stack: Stack, stage: string, queues: readonly Queue[]): Queues {
  const add = (name: string, props: sqs.QueueProps): sqs.Queue =>
    new sqs.Queue(stack, pascal(name), {
      queueName: named(stage, name),
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      ...props,
    });
  const addDeadLetters = (name: string): sqs.Queue => {
    const queue = add(`${name}-dead-letters`, { retentionPeriod: Duration.days(14) });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is where Lambda or EventBridge put what they gave up; there is nothing behind it but an alarm.',
    });
    return queue;
  };
  const work = queues.map(({ name, visibilitySeconds, maxReceives }) => {
    const deadLetters = addDeadLetters(name);
    const queue = add(name, {
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      retentionPeriod: Duration.days(14),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
    });
    return { name, queue, deadLetters };
  });
  const relayDeadLetters = addDeadLetters('relay');
  const workerDeadLetters = addDeadLetters('workers');
  const byName = new Map<string, sqs.Queue>(work.map(({ name, queue }) => [name, queue]));
  return {
    of: (name) => {
      const queue = byName.get(name);
      if (queue === undefined) throw new Error(`the topology has no queue ${name}`);
      return queue;
    },
    work: work.map(({ queue }) => queue),
    deadLetters: [...work.map(({ deadLetters }) => deadLetters), relayDeadLetters, workerDeadLetters],
    relayDeadLetters,
    workerDeadLetters,
  };
}
