import { clock } from './clock.ts';
import { emitLine, log } from './log.ts';
import { settings } from './settings.ts';

/** A CloudWatch unit. */
export type Unit = 'Count' | 'Milliseconds' | 'Bytes';

/**
 * Figures that are metrics because they have alarms. CloudWatch charges USD 0.30 a month for each, so no other figure is a
 * metric.
 */
export const METRICS = ['messages_undelivered', 'operator_alarms'] as const;

const watched: ReadonlySet<string> = new Set(METRICS);

/**
 * Writes figures to the log, where CloudWatch Logs Insights adds them up. Those of {@link METRICS} also become metrics of
 * the stage: CloudWatch extracts them from a line in the Embedded Metric Format, without an API call.
 * @param labels labels of the log line only, because as dimensions they would multiply the metrics
 */
export function count(
  figures: Readonly<Record<string, { value: number; unit: Unit }>>,
  labels: Readonly<Record<string, string>> = {},
): void {
  const values = Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value]));
  log.info('figures', { ...labels, ...values });
  const metrics = Object.entries(figures).filter(([name]) => watched.has(name));
  if (metrics.length === 0 || settings().GATEHOUSE_LOG_LEVEL === 'silent') return;
  const line = {
    _aws: {
      Timestamp: clock.now(),
      CloudWatchMetrics: [
        {
          Namespace: 'Gatehouse',
          Dimensions: [['stage']],
          Metrics: metrics.map(([Name, { unit: Unit }]) => ({ Name, Unit })),
        },
      ],
    },
    stage: settings().GATEHOUSE_STAGE,
    ...values,
  };
  emitLine(JSON.stringify(line));
}
