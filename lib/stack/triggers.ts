import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';

import type { Trigger } from '../../functions/kernel/area.ts';
import { RELAYED_ROWS } from '../../functions/kernel/events/relayed.ts';
import { WORK_PREFIX } from '../../functions/kernel/storage/work.ts';
import type { FunctionDescription } from '../topology/model.ts';
import type { DeployedFunction, VersionedFunction } from './functions.ts';
import { ALIAS } from './names.ts';
import type { Queues } from './queues.ts';

/** The resources that triggers need. */
export interface TriggerContext {
  bus: events.IEventBus;
  streamArn: () => string;
  queues: Queues;
  /** False creates all triggers disabled. */
  enabled: boolean;
}

/** Maximum characters of an EventBridge pattern. */
const LONGEST_PATTERN = 2_048;
/** The minimum and maximum of SQS for the concurrency of one queue's trigger. */
const [LEAST_POLLERS, MOST_POLLERS] = [2, 1_000];
/** Maximum concurrent batches of one shard in Lambda. */
const MOST_BATCHES = 10;

/** Connects a worker to the stream, the queue or the events that trigger it. */
export function connect(context: TriggerContext, description: FunctionDescription, deployed: VersionedFunction): void {
  const { source, concurrency } = description;
  switch (source.kind) {
    case 'http':
    case 'schedule':
      return;
    case 'stream':
      return connectStream(context, deployed, concurrency);
    case 'queue':
      return connectQueue(context, source, deployed, concurrency);
    case 'events':
      return connectEvents(context, source, deployed);
  }
}

/**
 * Connects a worker to inserts of event rows. A failing batch is halved until only the failing row remains. It is retried
 * for six hours (longer than an outage of the bus), then its position goes to the dead letters and the stream continues.
 */
function connectStream(
  { streamArn, queues, enabled }: TriggerContext,
  { alias }: VersionedFunction,
  concurrency = 1,
): void {
  alias.addEventSourceMapping('Stream', {
    enabled,
    eventSourceArn: streamArn(),
    startingPosition: lambda.StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    parallelizationFactor: Math.min(concurrency, MOST_BATCHES),
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    maxRecordAge: Duration.hours(6),
    retryAttempts: 1_000,
    onFailure: new SqsDlq(queues.relayDeadLetters),
    filters: [
      lambda.FilterCriteria.filter({
        eventName: ['INSERT'],
        dynamodb: { NewImage: { __edb_e__: { S: [...RELAYED_ROWS] } } },
      }),
    ],
  });
}

function connectQueue(
  { queues, enabled }: TriggerContext,
  { queue }: Trigger & { kind: 'queue' },
  { alias }: VersionedFunction,
  concurrency: number | undefined,
): void {
  alias.addEventSourceMapping('Queue', {
    enabled,
    eventSourceArn: queues.of(queue).queueArn,
    batchSize: 10,
    reportBatchItemFailures: true,
    ...(concurrency === undefined
      ? {}
      : { maxConcurrency: Math.min(MOST_POLLERS, Math.max(LEAST_POLLERS, concurrency)) }),
  });
}

/**
 * Connects a worker to events. If it keeps failing for an event, the event goes to its dead letters, and so does an event
 * that a rule cannot deliver.
 */
function connectEvents(
  { bus, queues, enabled }: TriggerContext,
  { events: names, prefixes }: Trigger & { kind: 'events' },
  { fn, alias }: VersionedFunction,
): void {
  const detailType = detailTypes(names, prefixes);
  const rule = new events.Rule(fn, 'Rule', { eventBus: bus, eventPattern: { detailType }, enabled });
  rule.addTarget(
    new targets.LambdaFunction(alias as lambda.IFunction, {
      retryAttempts: 185,
      maxEventAge: Duration.hours(24),
      // The queue is imported from another stack: for a queue of its own the CDK would add a statement for each rule.
      deadLetterQueue: queues.workerDeadLetters,
    }),
  );
  new lambda.CfnEventInvokeConfig(alias, 'Retries', {
    functionName: fn.functionName,
    qualifier: ALIAS,
    maximumRetryAttempts: 2,
    maximumEventAgeInSeconds: Duration.hours(6).toSeconds(),
    destinationConfig: { onFailure: { destination: queues.workerDeadLetters.queueArn } },
    // A text refers to the alias, so the dependency must be explicit.
  }).addResourceDependency(alias.node.defaultChild as lambda.CfnAlias);
}

/**
 * The pattern for the detail type of an event: one of the names, or one of the prefixes. If neither is given it is any
 * event, but no work (`kernel/storage/work.ts`).
 * @throws Error for a pattern that EventBridge would not accept
 */
export function detailTypes(names: readonly string[] = [], prefixes: readonly string[] = []): string[] {
  const given = [...names, ...prefixes.flatMap((prefix) => events.Match.prefix(prefix))];
  const pattern = given.length > 0 ? given : events.Match.anythingButPrefix(WORK_PREFIX);
  const length = JSON.stringify({ 'detail-type': [...names, ...prefixes.map((prefix) => ({ prefix }))] }).length;
  if (length > LONGEST_PATTERN) throw new Error(`a rule's pattern has ${length} characters: name prefixes instead`);
  return pattern;
}

/**
 * Connects a worker to a schedule. A failed run is not kept, since the next one does its work. Rare schedules are retried,
 * frequent ones simply run again.
 */
export function connectSchedule(
  { enabled }: TriggerContext,
  { everyMinutes }: Trigger & { kind: 'schedule' },
  { fn }: DeployedFunction,
): void {
  const every = Duration.minutes(everyMinutes);
  const rule = new events.Rule(fn, 'Schedule', { schedule: events.Schedule.rate(every), enabled });
  rule.addTarget(new targets.LambdaFunction(fn, { retryAttempts: 2, maxEventAge: every }));
  new lambda.CfnEventInvokeConfig(fn, 'Retries', {
    functionName: fn.functionName,
    qualifier: '$LATEST',
    maximumRetryAttempts: everyMinutes < 10 ? 0 : 2,
    maximumEventAgeInSeconds: Math.min(every.toSeconds(), Duration.hours(6).toSeconds()),
  });
}
