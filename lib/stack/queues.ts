import { Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import type * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sqs from 'aws-cdk-lib/aws-sqs';

import type { Queue } from '../topology/model.ts';
import { arnOf, named, pascal } from './names.ts';
import type { StageSettings } from './settings.ts';

/** The queues of a stage. */
export interface Queues {
  /**
   * The queue with a name.
   * @throws Error for a queue that is not in the topology
   */
  of: (name: string) => sqs.IQueue;
  work: readonly sqs.IQueue[];
  deadLetters: readonly sqs.IQueue[];
  /** Positions in the stream at which the relay failed finally. */
  relayDeadLetters: sqs.IQueue;
  /** Events that a worker on the bus failed to process, or that a rule could not deliver to it. */
  workerDeadLetters: sqs.IQueue;
}

const RELAY = 'relay';
const WORKERS = 'workers';
const deadLettersOf = (name: string): string => `${name}-dead-letters`;

/** Adds each queue with its dead letters, and the dead letters of relay and workers. A protected stage retains them. */
export function addQueues(
  stack: Stack,
  { stage, protect }: Pick<StageSettings, 'stage' | 'protect'>,
  queues: readonly Queue[],
  bus: Pick<events.IEventBus, 'eventBusName'>,
): Queues {
  const add = (name: string, props: sqs.QueueProps): sqs.Queue =>
    new sqs.Queue(stack, pascal(name), {
      queueName: named(stage, name),
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy: protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...props,
    });
  const addDeadLetters = (name: string): sqs.Queue => {
    const queue = add(deadLettersOf(name), { retentionPeriod: Duration.days(14) });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is where Lambda or EventBridge put what they gave up; there is nothing behind it but an alarm.',
    });
    return queue;
  };
  const made = new Map<string, sqs.IQueue>();
  for (const { name, visibilitySeconds, maxReceives } of queues) {
    const deadLetters = addDeadLetters(name);
    const queue = add(name, {
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      retentionPeriod: Duration.days(14),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
    });
    made.set(name, queue).set(deadLettersOf(name), deadLetters);
  }
  for (const name of [RELAY, WORKERS]) made.set(deadLettersOf(name), addDeadLetters(name));
  const result = queuesFrom(queues, (name) => made.get(name));
  admitRules(result.workerDeadLetters, bus);
  return result;
}

/** The queues of a stage, imported into a stack that is deployed after the one that creates them. */
export function importQueues(stack: Stack, stage: string, queues: readonly Queue[]): Queues {
  const names = [...queues.flatMap(({ name }) => [name, deadLettersOf(name)]), ...[RELAY, WORKERS].map(deadLettersOf)];
  const known = new Map(
    names.map((name) => [name, sqs.Queue.fromQueueArn(stack, pascal(name), arnOf('sqs', named(stage, name)))]),
  );
  return queuesFrom(queues, (name) => known.get(name));
}

function queuesFrom(queues: readonly Queue[], find: (name: string) => sqs.IQueue | undefined): Queues {
  const of = (name: string): sqs.IQueue => {
    const queue = find(name);
    if (queue === undefined) throw new Error(`the topology has no queue ${name}`);
    return queue;
  };
  const relayDeadLetters = of(deadLettersOf(RELAY));
  const workerDeadLetters = of(deadLettersOf(WORKERS));
  return {
    of,
    work: queues.map(({ name }) => of(name)),
    deadLetters: [...queues.map(({ name }) => of(deadLettersOf(name))), relayDeadLetters, workerDeadLetters],
    relayDeadLetters,
    workerDeadLetters,
  };
}

/**
 * Permits all rules of the stage's bus to send, by one statement, since SQS allows 20 statements and there is a rule for
 * each worker.
 */
function admitRules(queue: sqs.IQueue, { eventBusName }: Pick<events.IEventBus, 'eventBusName'>): void {
  queue.addToResourcePolicy(
    new iam.PolicyStatement({
      principals: [new iam.ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnLike: { 'aws:SourceArn': arnOf('events', `rule/${eventBusName}/*`) } },
    }),
  );
}
