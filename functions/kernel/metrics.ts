import { clock } from './clock.ts';
import { emitLine } from './log.ts';
import { settings } from './settings.ts';

/** A CloudWatch unit. */
export type Unit = 'Count' | 'Milliseconds' | 'Bytes';

/**
 * Writes metrics in the CloudWatch Embedded Metric Format: a log line that CloudWatch turns into metrics, without an
 * API call. Dimensions are few and bounded: each combination is a metric that is paid for.
 */
export function count(
  metrics: Readonly<Record<string, { value: number; unit: Unit }>>,
  dimensions: Readonly<Record<string, string>> = {},
): void {
  if (settings().GATEHOUSE_LOG_LEVEL === 'silent') return;
  const named = { stage: settings().GATEHOUSE_STAGE, ...dimensions };
  const line = {
    _aws: {
      Timestamp: clock.now(),
      CloudWatchMetrics: [
        {
          Namespace: 'Gatehouse',
          Dimensions: [Object.keys(named)],
          Metrics: Object.entries(metrics).map(([Name, { unit: Unit }]) => ({ Name, Unit })),
        },
      ],
    },
    ...named,
    ...Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value])),
  };
  emitLine(JSON.stringify(line));
}
