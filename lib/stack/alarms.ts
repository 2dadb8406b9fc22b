import { Aws, Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';

import type { Topology } from '../topology/model.ts';
import type { Queues } from './queues.ts';
import { functionNameOf, named, pascal } from './names.ts';
import type { StageSettings } from './settings.ts';

/** More than these and nobody reads them. */
const MOST_ALARMS = 10;
/** Seven alarms are for other things. */
const MOST_SCHEDULED = 30;
/** CloudWatch's limit on the metrics of one expression. */
const MOST_METRICS = 10;
const { GREATER_THAN_THRESHOLD } = cloudwatch.ComparisonOperator;
const { NOT_BREACHING } = cloudwatch.TreatMissingData;

/** What the alarms watch. */
export interface Watched {
  topology: Topology;
  settings: StageSettings;
  apiId: string;
  recordsTableName: string;
  queues: Queues;
  logGroup: logs.LogGroup;
}

/** The alarms that also take a new version back. */
export interface Alarms {
  /** For functions behind the API. */
  api: readonly cloudwatch.Alarm[];
  /** For the worker of this name. */
  worker: (name: string) => readonly cloudwatch.Alarm[];
}

interface Watch {
  metric: cloudwatch.IMetric;
  threshold: number;
  /** Periods to look at, and how many of them must be over the threshold. */
  periods?: readonly [number, number];
  /** What it means, and what to do. */
  say: string;
}

/**
 * Adds the alarms of a stage, all to one topic.
 * @throws Error when there are more than ten.
 */
export function addAlarms(stack: Stack, watched: Watched): Alarms {
  const { topology, settings } = watched;
  const action = new SnsAction(addTopic(stack, settings));
  let count = 0;
  const add = (name: string, { metric, threshold, periods = [1, 1], say }: Watch): cloudwatch.Alarm => {
    count += 1;
    if (count > MOST_ALARMS) throw new Error(`more than ${MOST_ALARMS} alarms: ${name} is one too many`);
    const alarm = new cloudwatch.Alarm(stack, `${pascal(name)}Alarm`, {
      alarmName: named(settings.stage, name),
      alarmDescription: say,
      metric,
      threshold,
      evaluationPeriods: periods[0],
      datapointsToAlarm: periods[1],
      comparisonOperator: GREATER_THAN_THRESHOLD,
      treatMissingData: NOT_BREACHING,
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  };

  const faults = add('api-faults', apiFaults(watched));
  add('api-latency', apiLatency(watched));
  add('table-throttles', tableThrottles(watched));
  add('key-failures', keyFailures(stack, watched));
  const givenUp = add('dead-letters', deadLetters(watched));
  if (watched.queues.work.length > 0) add('backlog', backlog(watched));
  const relay = topology.functions.find(({ source }) => source.kind === 'stream');
  if (relay !== undefined) add('relay-lag', relayLag(relay.name, settings));
  const byWorker = new Map<string, cloudwatch.Alarm>();
  const watchable = workersByNeed(topology).slice(0, (MOST_ALARMS - count) * MOST_METRICS);
  for (const [at, names] of chunks(watchable, MOST_METRICS).entries()) {
    const alarm = add(at === 0 ? 'worker-errors' : `worker-errors-${at + 1}`, workerErrors(names, settings));
    for (const name of names) byWorker.set(name, alarm);
  }
  return { api: [faults], worker: (name) => [byWorker.get(name) ?? givenUp] };
}

/**
 * Workers by how much they need an alarm for their errors: what a schedule or the bus starts first; a queue's worker
 * and the relay also show in the dead letters, the backlog and the lag, so they give way where alarms run out.
 * @throws Error when not even all scheduled workers find room, whose failures nothing else shows.
 */
function workersByNeed({ functions }: Topology): string[] {
  const ofKind = (kind: string) => functions.filter(({ source }) => source.kind === kind).map(({ name }) => name);
  const scheduled = ofKind('schedule');
  if (scheduled.length > MOST_SCHEDULED)
    throw new Error(`${scheduled.length} schedules; alarms watch ${MOST_SCHEDULED}`);
  return [...scheduled, ...ofKind('events'), ...ofKind('queue'), ...ofKind('stream')];
}

function addTopic(stack: Stack, { stage, alarmEmail }: StageSettings): sns.Topic {
  const topic = new sns.Topic(stack, 'Alarms', { topicName: named(stage, 'alarms'), enforceSSL: true });
  // A policy of its own takes the place of the one that lets the account's alarms in.
  topic.addToResourcePolicy(
    new iam.PolicyStatement({
      principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (alarmEmail !== undefined) topic.addSubscription(new subscriptions.EmailSubscription(alarmEmail));
  return topic;
}

const metric = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic: string,
  minutes = 1,
): cloudwatch.Metric =>
  new cloudwatch.Metric({ namespace, metricName, dimensionsMap, statistic, period: Duration.minutes(minutes) });

const sumOf = (metrics: readonly cloudwatch.Metric[], minutes = 1): cloudwatch.IMetric => {
  const usingMetrics = Object.fromEntries(metrics.map((each, at) => [`m${at}`, each]));
  const expression = Object.keys(usingMetrics)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ');
  return new cloudwatch.MathExpression({ expression, usingMetrics, period: Duration.minutes(minutes) });
};

function apiFaults({ apiId }: Watched): Watch {
  const of = (name: string) => metric('AWS/ApiGateway', name, { ApiId: apiId }, 'Sum');
  return {
    metric: new cloudwatch.MathExpression({
      expression: 'IF(faults > 2, 100 * faults / requests, 0)',
      usingMetrics: { faults: of('5xx'), requests: of('Count') },
      period: Duration.minutes(1),
    }),
    threshold: 1,
    periods: [5, 2],
    say:
      'More than 1 % of requests are answered 5xx. Query the log group for level "error" by area; after a deployment ' +
      "it is rolled back automatically. Only 503: look at table-throttles and the account's Lambda concurrency.",
  };
}

function apiLatency({ apiId }: Watched): Watch {
  return {
    metric: metric('AWS/ApiGateway', 'Latency', { ApiId: apiId }, 'p99', 5),
    threshold: 5_000,
    periods: [3, 3],
    say:
      'One request in a hundred takes over 5 s for a quarter of an hour. Open X-Ray, find the slowest segment: DynamoDB ' +
      '(see table-throttles), KMS (see key-failures), an address that a customer named, or cold starts (raise memory).',
  };
}

function tableThrottles({ topology, recordsTableName }: Watched): Watch {
  const indexes = topology.tables.find(({ name }) => name === 'records')?.indexes ?? [];
  const dimensions = [
    { TableName: recordsTableName },
    ...indexes.map(({ name }) => ({ TableName: recordsTableName, GlobalSecondaryIndexName: name })),
  ];
  const metrics = dimensions.flatMap((each) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => metric('AWS/DynamoDB', name, each, 'Sum')),
  );
  return {
    metric: sumOf(metrics.slice(0, MOST_METRICS)),
    threshold: 10,
    periods: [5, 3],
    say:
      'DynamoDB throttles calls. One hot partition key: find it with CloudWatch Contributor Insights and give that list ' +
      'more shards; everywhere: a sudden peak, which on-demand capacity follows within minutes, or the account quota.',
  };
}

/** KMS publishes no errors of its own: they are counted from the log. */
function keyFailures(stack: Stack, { logGroup, settings }: Watched): Watch {
  const filter = new logs.MetricFilter(stack, 'KeyFailures', {
    logGroup,
    metricNamespace: 'Gatehouse',
    metricName: 'key_failures',
    defaultValue: 0,
    metricValue: '1',
    filterName: named(settings.stage, 'key-failures'),
    filterPattern: logs.FilterPattern.anyTerm(
      'DisabledException',
      'KMSInvalidStateException',
      'KMSInternalException',
      'KeyUnavailableException',
      'kms:Decrypt',
      'kms:GenerateDataKey',
    ),
  });
  return {
    metric: filter.metric({ statistic: 'Sum', period: Duration.minutes(1) }),
    threshold: 3,
    periods: [5, 2],
    say:
      "KMS rejects use of the stage's key, so stored secrets cannot be read. Check that the key is enabled and not pending " +
      'deletion (cancel it at once: kms cancel-key-deletion), its policy, and the regional request quota.',
  };
}

function deadLetters({ queues }: Watched): Watch {
  const visible = (queueName: string) =>
    metric('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: queueName }, 'Maximum');
  return {
    metric: sumOf(queues.deadLetters.slice(0, MOST_METRICS).map(({ queueName }) => visible(queueName))),
    threshold: 0,
    say:
      'Work was given up. relay: npm run events -- replay over the time of the entries, then purge; workers, deliveries, ' +
      'messages: read the error in the log by message id, mend it, then redrive the queue. Kept for 14 days.',
  };
}

function backlog({ queues }: Watched): Watch {
  const ages = queues.work.map(({ queueName }) =>
    metric('AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: queueName }, 'Maximum'),
  );
  return {
    metric: new cloudwatch.MathExpression({
      expression: `MAX([${ages.map((_, at) => `FILL(m${at}, 0)`).join(', ')}])`,
      usingMetrics: Object.fromEntries(ages.map((age, at) => [`m${at}`, age])),
      period: Duration.minutes(1),
    }),
    threshold: 600,
    periods: [5, 5],
    say:
      'Webhooks or mail wait over ten minutes. Look at the worker of the oldest queue: throttled (raise its concurrency ' +
      'in the topology), failing (worker-errors), or many slow endpoints (the list of attempts names them).',
  };
}

function relayLag(name: string, { stage }: StageSettings): Watch {
  return {
    metric: metric('AWS/Lambda', 'IteratorAge', { FunctionName: functionNameOf(stage, name) }, 'Maximum'),
    threshold: 60_000,
    periods: [5, 3],
    say:
      'Events reach the bus over a minute late. Read the log of the relay: the bus rejecting events (EventBridge quota of ' +
      'PutEvents), a row it cannot put (it goes to the dead letters by itself), or more writes than it follows.',
  };
}

function workerErrors(names: readonly string[], { stage }: StageSettings): Watch {
  const errors = names.map((name) =>
    metric('AWS/Lambda', 'Errors', { FunctionName: functionNameOf(stage, name) }, 'Sum', 5),
  );
  return {
    metric: sumOf(errors, 5),
    threshold: 4,
    say:
      'Workers fail: the graph of this alarm shows which. Query the log group for its name and level "error"; after a ' +
      'deployment it is being taken back by itself. Nothing is lost meanwhile: work is tried again, then kept as dead letter.',
  };
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
