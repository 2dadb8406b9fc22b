import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

import { count, METRICS } from '../../functions/kernel/metrics.ts';
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
