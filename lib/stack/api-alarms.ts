import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as logs from 'aws-cdk-lib/aws-logs';

import type { Topology } from '../topology/model.ts';
import { type AddAlarm, maxMetric, metric, sumMetrics, type Watch } from './alarms.ts';
import { named } from './names.ts';
import type { StageSettings } from './settings.ts';

/** The resources that the alarms of the API observe. */
export interface Watched {
  topology: Topology;
  settings: StageSettings;
  apiId: string;
  /** The id of the console's API; undefined for a stage without it. */
  consoleApiId?: string | undefined;
  recordsTableName: string;
  logGroup: logs.LogGroup;
}

/** The names of the alarms that {@link addApiAlarms} adds. */
export const API_ALARMS = ['api-faults', 'api-latency', 'table-throttles', 'key-failures'] as const;

/** Adds the alarms of the API and of its dependencies. */
export function addApiAlarms(stack: Stack, add: AddAlarm, watched: Watched): void {
  const watches: Record<(typeof API_ALARMS)[number], Watch> = {
    'api-faults': apiFaults(watched),
    'api-latency': apiLatency(watched),
    'table-throttles': tableThrottles(watched),
    'key-failures': keyFailures(stack, watched),
  };
  for (const name of API_ALARMS) add(name, watches[name]);
}

const listApis = ({ apiId, consoleApiId }: Watched): string[] => [
  apiId,
  ...(consoleApiId === undefined ? [] : [consoleApiId]),
];

function apiFaults(watched: Watched): Watch {
  const apis = listApis(watched);
  const of = (id: string, name: string) => metric('AWS/ApiGateway', name, { ApiId: id }, 'Sum');
  // Each API has a share of its own: the few faults of the console would be lost among the requests of the API.
  const shares = apis.map((_, at) => `IF(FILL(faults${at}, 0) > 2, 100 * faults${at} / FILL(requests${at}, 1), 0)`);
  const metrics = apis.flatMap((id, at) => [
    [`faults${at}`, of(id, '5xx')] as const,
    [`requests${at}`, of(id, 'Count')] as const,
  ]);
  return {
    metric: new cloudwatch.MathExpression({
      expression: `MAX([${shares.join(', ')}])`,
      usingMetrics: Object.fromEntries(metrics),
      period: Duration.minutes(1),
    }),
    threshold: 1,
    periods: [5, 2],
    description:
      'More than 1 % of the responses of the API, or of the console, are 5xx. Query the log group for level "error" by ' +
      'area; a deployment is rolled back by the alarm of its function. Only 503: look at table-throttles and the account’s Lambda concurrency.',
  };
}

function apiLatency(watched: Watched): Watch {
  return {
    metric: maxMetric(
      listApis(watched).map((id) => metric('AWS/ApiGateway', 'Latency', { ApiId: id }, 'p99', 5)),
      5,
    ),
    threshold: 5_000,
    periods: [3, 3],
    description:
      'One request in a hundred takes over 5 s for a quarter of an hour. Query the log group for message "request" with the ' +
      'largest milliseconds, by operation; then look at table-throttles, key-failures, an address that a customer named ' +
      '(warnings of the same request_id), or cold starts (X-Ray shows Initialization; raise memory).',
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
    metric: sumMetrics(metrics),
    threshold: 10,
    periods: [5, 3],
    description:
      'DynamoDB throttles calls. One hot partition key: find it with CloudWatch Contributor Insights and give that list ' +
      'more shards; everywhere: a sudden peak, which on-demand capacity follows within minutes, or the account quota.',
  };
}

/** KMS publishes no error metrics, so errors are counted from the log. */
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
    description:
      "KMS rejects use of the stage's key, so stored secrets cannot be read. Check that the key is enabled and not pending " +
      'deletion (cancel it at once: kms cancel-key-deletion), its policy, and the regional request quota.',
  };
}
