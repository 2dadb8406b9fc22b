import { Aws, Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';

import { arnOf, named, pascal } from './names.ts';
import type { StageSettings } from './settings.ts';

/** CloudWatch's limit on the metrics of one expression. */
export const MOST_METRICS = 10;
const { GREATER_THAN_THRESHOLD } = cloudwatch.ComparisonOperator;
const { NOT_BREACHING } = cloudwatch.TreatMissingData;

/** The expression and the text of an alarm. */
export interface Watch {
  metric: cloudwatch.IMetric;
  threshold: number;
  /** Number of periods to evaluate, and how many of them must be over the threshold. */
  periods?: readonly [number, number];
  /** The meaning of the alarm, and what the operator has to do. */
  description: string;
}

/** Adds an alarm that notifies the topic of the stage. */
export type AddAlarm = (name: string, watch: Watch) => cloudwatch.Alarm;

/** Adds alarms to a stack, all to one topic. */
export function alarmsTo(stack: Stack, { stage }: Pick<StageSettings, 'stage'>, topic: sns.ITopic): AddAlarm {
  const action = new SnsAction(topic);
  return (name, { metric, threshold, periods = [1, 1], description }) => {
    const alarm = new cloudwatch.Alarm(stack, `${pascal(name)}Alarm`, {
      alarmName: named(stage, name),
      alarmDescription: description,
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
}

/** Adds the topic of all alarms of a stage. */
export function addTopic(stack: Stack, { stage, alarmEmail }: StageSettings): sns.Topic {
  const topic = new sns.Topic(stack, 'Alarms', { topicName: named(stage, 'alarms'), enforceSSL: true });
  // A policy of the topic replaces the default one, so it must also allow the account's alarms.
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

/** The topic, imported into a stack that is deployed after the one that creates it. */
export const importTopic = (stack: Stack, { stage }: Pick<StageSettings, 'stage'>): sns.ITopic =>
  sns.Topic.fromTopicArn(stack, 'Alarms', arnOf('sns', named(stage, 'alarms')));

/** A metric of AWS or of this service. */
export const metric = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic: string,
  minutes = 1,
): cloudwatch.Metric =>
  new cloudwatch.Metric({ namespace, metricName, dimensionsMap, statistic, period: Duration.minutes(minutes) });

/**
 * The sum of metrics.
 * @throws Error for more metrics than CloudWatch accepts, since the others would have no alarm
 */
export const sumMetrics = (metrics: readonly cloudwatch.Metric[], minutes = 1): cloudwatch.IMetric => {
  if (metrics.length > MOST_METRICS)
    throw new Error(`an alarm sums ${metrics.length} metrics; CloudWatch takes ${MOST_METRICS}`);
  const usingMetrics = Object.fromEntries(metrics.map((each, at) => [`m${at}`, each]));
  const expression = Object.keys(usingMetrics)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ');
  return new cloudwatch.MathExpression({ expression, usingMetrics, period: Duration.minutes(minutes) });
};

/** The maximum of metrics. */
export const maxMetric = (metrics: readonly cloudwatch.Metric[], minutes = 1): cloudwatch.IMetric => {
  const usingMetrics = Object.fromEntries(metrics.map((each, at) => [`m${at}`, each]));
  const filled = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new cloudwatch.MathExpression({
    expression: `MAX([${filled.join(', ')}])`,
    usingMetrics,
    period: Duration.minutes(minutes),
  });
};
