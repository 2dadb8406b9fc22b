import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { FAULTS } from '../../functions/kernel/metrics.ts';
import { metric } from './alarms.ts';
import type { VersionedFunction } from './functions.ts';
import { ALIAS } from './names.ts';

/** The share of failed calls of a new version, in percent, above which it is rolled back. */
const MOST_FAILED = 1;

/**
 * Adds the alarm of a new version of a function, which only the deployment group of that function watches and which notifies no one. It is the
 * share of calls of this version that ended in a 5xx (or failed messages and records), or in an error of Lambda, such as a time-out. A share of the whole
 * API would not show that a small function fails.
 */
export function addCanaryAlarm({ fn, alias }: VersionedFunction, name: string): cloudwatch.Alarm {
  const { version } = fn.currentVersion;
  // Lambda has these metrics for each version of an alias while it has two.
  const ofVersion = { FunctionName: name, Resource: `${name}:${ALIAS}`, ExecutedVersion: version };
  const failed = '(FILL(faults, 0) + FILL(errors, 0))';
  return new cloudwatch.Alarm(alias, 'Faults', {
    alarmName: `${name}-faults`,
    alarmDescription: `Calls of the newest version of ${name} fail. Its deployment is rolled back; query the log group for level "error" and its area.`,
    metric: new cloudwatch.MathExpression({
      expression: `100 * ${failed} / FILL(invocations, 1)`,
      usingMetrics: {
        faults: metric('Gatehouse', FAULTS, { function: name, version }, 'Sum'),
        errors: metric('AWS/Lambda', 'Errors', ofVersion, 'Sum'),
        invocations: metric('AWS/Lambda', 'Invocations', ofVersion, 'Sum'),
      },
      period: Duration.minutes(1),
    }),
    threshold: MOST_FAILED,
    // Two of the five minutes for which the version gets a tenth of the calls.
    evaluationPeriods: 5,
    datapointsToAlarm: 2,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });
}
