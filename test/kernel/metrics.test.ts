import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { count, METRICS, recordCall } from '../../functions/kernel/metrics.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';

let printed: string[];
const level = process.env.GATEHOUSE_LOG_LEVEL;

beforeEach(() => {
  printed = [];
  Object.assign(process.env, { GATEHOUSE_LOG_LEVEL: 'info', GATEHOUSE_STAGE: 'try' });
  forgetSettings();
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => (printed.push(String(text)), true));
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env.GATEHOUSE_LOG_LEVEL = level;
  delete process.env.GATEHOUSE_STAGE;
  forgetSettings();
});

const lines = () => printed.map((line) => JSON.parse(line) as Record<string, unknown>);

test('a figure without an alarm is written as a log line, and not as a metric, which costs money', () => {
  count({ messages_sent: { value: 1, unit: 'Count' } }, { channel: 'email' });
  expect(lines()).toMatchObject([{ message: 'figures', messages_sent: 1, channel: 'email' }]);
  expect(printed.join('')).not.toContain('_aws');
});

test.each(METRICS)('%s is one metric of the stage, whatever its labels', (name) => {
  count({ [name]: { value: 2, unit: 'Count' } }, { channel: 'sms' });
  const [, metric] = lines();
  expect(metric).toMatchObject({
    stage: 'try',
    [name]: 2,
    _aws: {
      CloudWatchMetrics: [
        { Namespace: 'Gatehouse', Dimensions: [['stage']], Metrics: [{ Name: name, Unit: 'Count' }] },
      ],
    },
  });
  expect(metric).not.toHaveProperty('channel');
});

describe('a call in Lambda', () => {
  const NAMES = ['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_FUNCTION_VERSION', 'GATEHOUSE_OPERATION_METRICS'] as const;
  const use = (...values: string[]): void => {
    for (const [at, name] of NAMES.entries()) process.env[name] = values[at] ?? '';
    forgetSettings();
  };
  afterEach(() => {
    for (const name of NAMES) delete process.env[name];
  });
  const metrics = () =>
    lines().flatMap((line) => {
      const { CloudWatchMetrics } = line._aws as { CloudWatchMetrics: { Dimensions: string[][]; Metrics: object[] }[] };
      return CloudWatchMetrics.map(({ Dimensions, Metrics }) => [
        ...(Dimensions[0] ?? []).map((name) => line[name]),
        ...Metrics.map((metric) => (metric as { Name: string }).Name),
      ]);
    });

  test.each([
    ['off', 200, []],
    [
      'off',
      500,
      [
        ['gatehouse-try-organizations-http', '8', 'faults'],
        ['try', 'organizations.get', 'faults'],
      ],
    ],
    ['on', 200, [['try', 'organizations.get', 'milliseconds']]],
    [
      'on',
      503,
      [
        ['gatehouse-try-organizations-http', '8', 'faults'],
        ['try', 'organizations.get', 'milliseconds', 'faults'],
      ],
    ],
  ])('with metrics of operations %s and the status %i is recorded as %j', (all, status, expected) => {
    use('gatehouse-try-organizations-http', '8', all);
    recordCall('organizations.get', status, 12);
    expect(metrics()).toEqual(expected);
  });

  test('of a path without an operation is no metric, and a fault of its function', () => {
    use('gatehouse-try-organizations-http', '8', 'on');
    recordCall(undefined, 404, 1);
    recordCall(undefined, 500, 1);
    expect(metrics()).toEqual([['gatehouse-try-organizations-http', '8', 'faults']]);
  });

  test('in the local service is no metric', () => {
    use('', '', 'on');
    recordCall('organizations.get', 500, 1);
    expect(printed).toEqual([]);
  });
});
