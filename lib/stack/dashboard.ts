import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { METRICS } from '../../functions/kernel/metrics.ts';
import type { Topology } from '../topology/model.ts';
import { metric } from './alarms.ts';
import { arnOf, makeFunctionName, logGroupNameOf, makeMailSet, named } from './names.ts';
import type { Queues } from './queues.ts';
import type { StageSettings } from './settings.ts';

/** The number of columns of a CloudWatch dashboard. */
const FULL = 24;
const [HALF, THIRD] = [FULL / 2, FULL / 3];
const HEIGHT = 6;

/** The content of the dashboard. */
export interface DashboardContent {
  topology: Topology;
  settings: StageSettings;
  apiId: string;
  recordsTableName: string;
  queues: Queues;
  alarmNames: readonly string[];
}

/**
 * Adds the dashboard of a stage: its alarms, sign-ins, requests, errors, latency, deliveries, mail, and waits of
 * queues. Its metrics are AWS's own or those of alarms, and the rest are queries over the log, so that it adds no paid
 * metric. CloudWatch charges USD 3 a month for it, nothing for the first three of an account with up to 50 metrics, and
 * USD 0.005 for each GB of log that its queries read when it is opened.
 */
export function addDashboard(stack: Stack, content: DashboardContent): void {
  new cloudwatch.Dashboard(stack, 'Dashboard', {
    dashboardName: named(content.settings.stage, 'overview'),
    defaultInterval: Duration.hours(24),
    widgets: [
      [alarmWidget(stack, content)],
      [signIns(content), ...requestGraphs(content)],
      [slowOperations(content), failedOperations(content)],
      [waits(content), deliveries(content), mail(content)],
      [deadLetters(content), limitsOfAws(content), table(content)],
      [recentErrors(content)],
    ],
  });
}

function alarmWidget(stack: Stack, { settings, alarmNames }: DashboardContent): cloudwatch.IWidget {
  const alarms = alarmNames.map((name) =>
    cloudwatch.Alarm.fromAlarmArn(stack, `Shown-${name}`, arnOf('cloudwatch', `alarm:${named(settings.stage, name)}`)),
  );
  return new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms, width: FULL, height: 3 });
}

const graph = (title: string, left: cloudwatch.IMetric[], label: string, width = THIRD) =>
  new cloudwatch.GraphWidget({ title, left, width, height: HEIGHT, leftYAxis: { label, min: 0, showUnits: false } });

/** A query over the log of all functions of the stage. */
const query = (
  { settings: { stage } }: DashboardContent,
  title: string,
  lines: readonly string[],
  { view = cloudwatch.LogQueryVisualizationType.TABLE, width = HALF } = {},
) =>
  new cloudwatch.LogQueryWidget({
    title,
    logGroupNames: [logGroupNameOf(stage)],
    queryLines: [...lines],
    view,
    width,
    height: HEIGHT,
  });

/** The relay counts events when it sends them to the bus (`functions/record/events/relay/relay.ts`). */
const signIns = (content: DashboardContent) =>
  query(
    content,
    'Sign-ins, and attempts that failed',
    [
      'filter message = "figures" and ispresent(signIns)',
      'stats sum(signIns) as signed_in, sum(signInsFailed) as failed by bin(15m)',
    ],
    { view: cloudwatch.LogQueryVisualizationType.LINE, width: THIRD },
  );

function requestGraphs({ apiId }: DashboardContent): cloudwatch.IWidget[] {
  const of = (name: string, statistic: string, label: string) =>
    metric('AWS/ApiGateway', name, { ApiId: apiId }, statistic, 5).with({ label });
  return [
    graph('Requests', [of('Count', 'Sum', 'all'), of('4xx', 'Sum', '4xx'), of('5xx', 'Sum', '5xx')], 'in 5 minutes'),
    graph('Latency', [of('Latency', 'p50', 'p50'), of('Latency', 'p90', 'p90'), of('Latency', 'p99', 'p99')], 'ms'),
  ];
}

const slowOperations = (content: DashboardContent) =>
  query(content, 'Slowest operations', [
    'filter message = "request" and ispresent(operation)',
    'stats count() as requests, pct(milliseconds, 50) as p50, pct(milliseconds, 99) as p99 by operation',
    'sort p99 desc',
    'limit 20',
  ]);

const failedOperations = (content: DashboardContent) =>
  query(content, 'Operations responded 5xx', [
    'filter message = "request" and status >= 500',
    'stats count() as responses, latest(request_id) as last_request by operation, status',
    'sort responses desc',
    'limit 20',
  ]);

function waits({ topology, settings, queues }: DashboardContent): cloudwatch.IWidget {
  const [relay] = topology.functions.filter(({ source }) => source.kind === 'stream');
  const behind =
    relay === undefined
      ? []
      : [
          new cloudwatch.MathExpression({
            expression: 'relay / 1000',
            label: 'events before the bus',
            usingMetrics: {
              relay: metric(
                'AWS/Lambda',
                'IteratorAge',
                { FunctionName: makeFunctionName(settings.stage, relay.name) },
                'Maximum',
                5,
              ),
            },
            period: Duration.minutes(5),
          }),
        ];
  const ages = topology.queues.map(({ name }) =>
    metric('AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: queues.of(name).queueName }, 'Maximum', 5).with({
      label: name,
    }),
  );
  return graph('How long the oldest waits', [...behind, ...ages], 'seconds');
}

const deliveries = (content: DashboardContent) =>
  query(
    content,
    'Attempts at webhooks',
    [
      'filter message = "figures" and (ispresent(deliveriesSucceeded) or ispresent(deliveriesDead))',
      'stats sum(deliveriesSucceeded) as delivered, sum(deliveriesFailed) as failed, sum(deliveriesDead) as given_up by bin(15m)',
    ],
    { view: cloudwatch.LogQueryVisualizationType.LINE, width: THIRD },
  );

const mail = (content: DashboardContent) =>
  query(
    content,
    'Mail and SMS',
    [
      'filter message = "figures" and (ispresent(messages_sent) or ispresent(messages_failed) or ispresent(messages_undelivered))',
      'stats sum(messages_sent) as sent, sum(messages_failed) as given_up, sum(messages_undelivered) as undelivered by bin(15m)',
    ],
    { view: cloudwatch.LogQueryVisualizationType.LINE, width: THIRD },
  );

function deadLetters({ queues }: DashboardContent): cloudwatch.IWidget {
  const metrics = queues.deadLetters.map(({ queueName }) =>
    metric('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: queueName }, 'Maximum', 5),
  );
  return graph('Dead letters', metrics, 'messages');
}

/**
 * Widgets of limits and complaints, from AWS and from recipients of mail. The metrics of Lambda are those of the account.
 */
function limitsOfAws({ settings: { stage } }: DashboardContent): cloudwatch.IWidget {
  const ofSet = (name: string, label: string) =>
    metric('AWS/SES', name, { 'ses:configuration-set': makeMailSet(stage) }, 'Maximum', 60).with({ label });
  return new cloudwatch.GraphWidget({
    title: 'Lambda of the account, and mail that came back',
    left: [
      metric('AWS/Lambda', 'ConcurrentExecutions', {}, 'Maximum', 5).with({ label: 'executions at once' }),
      metric('AWS/Lambda', 'Throttles', {}, 'Sum', 5).with({ label: 'throttled' }),
      metric('Gatehouse', METRICS[0], { stage }, 'Sum', 5).with({ label: 'undelivered messages' }),
    ],
    right: [ofSet('Reputation.BounceRate', 'share bounced'), ofSet('Reputation.ComplaintRate', 'share complained of')],
    leftYAxis: { min: 0, showUnits: false },
    rightYAxis: { min: 0, showUnits: false },
    width: THIRD,
    height: HEIGHT,
  });
}

function table({ recordsTableName: TableName }: DashboardContent): cloudwatch.IWidget {
  const of = (name: string, label: string) => metric('AWS/DynamoDB', name, { TableName }, 'Sum', 5).with({ label });
  return graph(
    'Table of records',
    [
      of('ConsumedReadCapacityUnits', 'read units'),
      of('ConsumedWriteCapacityUnits', 'write units'),
      of('ReadThrottleEvents', 'throttled reads'),
      of('WriteThrottleEvents', 'throttled writes'),
    ],
    'in 5 minutes',
  );
}

const recentErrors = (content: DashboardContent) =>
  query(
    content,
    'Last errors',
    [
      'filter level = "error"',
      'fields @timestamp, area, operation, message, error.name, error.message, request_id',
      'sort @timestamp desc',
      'limit 20',
    ],
    { width: FULL },
  );
