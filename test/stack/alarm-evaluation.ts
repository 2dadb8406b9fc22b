import { runInNewContext } from 'node:vm';

/** A metric by namespace, name and dimensions. */
export interface MetricName {
  namespace: string;
  name: string;
  dimensions: Readonly<Record<string, string>>;
}

/** Sums of metrics by minute, as CloudWatch keeps them. */
export class Metrics {
  readonly #sums = new Map<string, number>();

  add({ namespace, name, dimensions }: MetricName, minute: number, value: number): void {
    const key = JSON.stringify([namespace, name, sortedEntries(dimensions), minute]);
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + value);
  }

  /** The sum of a minute; undefined without a value. */
  find({ namespace, name, dimensions }: MetricName, minute: number): number | undefined {
    return this.#sums.get(JSON.stringify([namespace, name, sortedEntries(dimensions), minute]));
  }

  /** Adds what CloudWatch extracts from a line of a log in the Embedded Metric Format. Other lines have no effect. */
  addLine(line: string, minute: number): void {
    const parsed = JSON.parse(line) as Record<string, unknown> & { _aws?: EmbeddedMetrics };
    for (const { Namespace: namespace, Dimensions, Metrics: metrics } of parsed._aws?.CloudWatchMetrics ?? []) {
      for (const { Name: name } of metrics) {
        for (const set of Dimensions) {
          const dimensions = Object.fromEntries(set.map((dimension) => [dimension, String(parsed[dimension])]));
          this.add({ namespace, name, dimensions }, minute, Number(parsed[name]));
        }
      }
    }
  }
}

interface EmbeddedMetrics {
  CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
}

const sortedEntries = (dimensions: Readonly<Record<string, string>>) =>
  Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The properties of an alarm in a template that decide whether it is active. */
export interface AlarmProperties {
  Metrics: readonly {
    Id: string;
    Expression?: string;
    MetricStat?: {
      Period: number;
      Stat: string;
      Metric: { Namespace: string; MetricName: string; Dimensions: { Name: string; Value: unknown }[] };
    };
  }[];
  Threshold: number;
  EvaluationPeriods: number;
  DatapointsToAlarm: number;
  ComparisonOperator: string;
  TreatMissingData: string;
}

/**
 * Reports whether an alarm on sums of a minute is active at the end of a minute
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/AlarmThatSendsEmail.html#alarm-evaluation).
 * @param resolve the text of a dimension that is a reference in the template
 * @throws Error for an alarm of another kind
 */
export function isActive(
  alarm: AlarmProperties,
  metrics: Metrics,
  minute: number,
  resolve: (value: unknown) => string,
): boolean {
  if (alarm.ComparisonOperator !== 'GreaterThanThreshold' || alarm.TreatMissingData !== 'notBreaching')
    throw new Error(`${alarm.ComparisonOperator} and ${alarm.TreatMissingData} are not evaluated`);
  const minutes = Array.from({ length: alarm.EvaluationPeriods }, (_, back) => minute - back);
  const over = minutes.filter((each) => (computeValue(alarm, metrics, each, resolve) ?? -Infinity) > alarm.Threshold);
  return over.length >= alarm.DatapointsToAlarm;
}

function computeValue(
  { Metrics: queries }: AlarmProperties,
  metrics: Metrics,
  minute: number,
  resolve: (value: unknown) => string,
): number | undefined {
  const values: Record<string, number | undefined> = {};
  for (const { Id, MetricStat } of queries) {
    if (MetricStat === undefined) continue;
    const { Period, Stat, Metric } = MetricStat;
    if (Period !== 60 || Stat !== 'Sum') throw new Error(`${Stat} of ${Period} seconds is not evaluated`);
    const dimensions = Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, resolve(Value)]));
    values[Id] = metrics.find({ namespace: Metric.Namespace, name: Metric.MetricName, dimensions }, minute);
  }
  if (Object.values(values).every((value) => value === undefined)) return undefined;
  const expression = queries.find(({ Expression }) => Expression !== undefined)?.Expression ?? '';
  return runInNewContext(expression, { ...values, ...FUNCTIONS }) as number;
}

/** The functions of CloudWatch's metric math that alarms of a stage use, on one value of each metric. */
const FUNCTIONS = {
  FILL: (value: number | undefined, otherwise: number) => value ?? otherwise,
  IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
  MAX: (values: readonly number[]) => Math.max(...values),
};
