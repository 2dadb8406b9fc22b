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
 * The metric by which a deployment of a function is rolled back (`lib/stack/canaries.ts`): calls of a version that ended in a 5xx, or
 * messages and records that it failed to process. It exists only for versions that have failed.
 */
export const FAULTS = 'faults';

/** Counts faults of the version of this function. It has no effect outside of Lambda, where functions have no versions. */
export function countFaults(number: number): void {
  const { AWS_LAMBDA_FUNCTION_NAME: name, AWS_LAMBDA_FUNCTION_VERSION: version } = settings();
  if (number > 0 && name !== '')
    emitMetrics({ function: name, version }, { [FAULTS]: { value: number, unit: 'Count' } });
}

/**
 * Records a call of an operation: its faults, and with `GATEHOUSE_OPERATION_METRICS` its duration, whose count is that of the calls. Each operation
 * that is called is a metric then, and costs USD 0.30 a month. They take the place of metrics of routes, since a route has many operations.
 * @param operation its id; undefined for a path of no operation
 */
export function recordCall(operation: string | undefined, status: number, milliseconds: number): void {
  const isFault = status >= 500;
  if (isFault) countFaults(1);
  const { GATEHOUSE_OPERATION_METRICS: all, GATEHOUSE_STAGE: stage, AWS_LAMBDA_FUNCTION_NAME: name } = settings();
  if (operation === undefined || name === '' || (all === 'off' && !isFault)) return;
  emitMetrics(
    { stage, operation },
    {
      ...(all === 'on' && { milliseconds: { value: milliseconds, unit: 'Milliseconds' } }),
      ...(isFault && { [FAULTS]: { value: 1, unit: 'Count' } }),
    },
  );
}

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
  const metrics = Object.fromEntries(Object.entries(figures).filter(([name]) => watched.has(name)));
  if (Object.keys(metrics).length > 0) emitMetrics({ stage: settings().GATEHOUSE_STAGE }, metrics);
}

/** Writes metrics with one set of dimensions, from which CloudWatch makes metrics without an API call. */
function emitMetrics(
  dimensions: Readonly<Record<string, string>>,
  figures: Readonly<Record<string, { value: number; unit: Unit }>>,
): void {
  if (settings().GATEHOUSE_LOG_LEVEL === 'silent') return;
  const line = {
    _aws: {
      Timestamp: clock.now(),
      CloudWatchMetrics: [
        {
          Namespace: 'Gatehouse',
          Dimensions: [Object.keys(dimensions)],
          Metrics: Object.entries(figures).map(([Name, { unit: Unit }]) => ({ Name, Unit })),
        },
      ],
    },
    ...dimensions,
    ...Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value])),
  };
  emitLine(JSON.stringify(line));
}
