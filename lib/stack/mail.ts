import { type Stack } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as ses from 'aws-cdk-lib/aws-ses';
import type * as sqs from 'aws-cdk-lib/aws-sqs';

import type { InboundQueueName } from '../../functions/kernel/area.ts';
import { arnOf, makeMailSet } from './names.ts';
import type { StageSettings } from './settings.ts';

/** The queue that takes what SES reports of mails. */
export const FEEDBACK_QUEUE: InboundQueueName = 'mail-feedback';

/**
 * Adds what the mail of a stage goes through: the configuration set of SES, and the way of bounces and complaints from there over
 * the account's default bus, the only one that SES knows, to the queue. Only AWS itself can put events of `aws.ses` on a bus, and the rule
 * takes those of this stage's configuration set.
 */
export function addMail(
  stack: Stack,
  { stage, paused }: Pick<StageSettings, 'stage' | 'paused'>,
  feedback: sqs.IQueue,
): void {
  const name = makeMailSet(stage);
  const set = new ses.CfnConfigurationSet(stack, 'MailSet', {
    name,
    // Each environment keeps the addresses that it must not mail, and lifts them; the account's list would overrule that.
    suppressionOptions: { suppressedReasons: [] },
    reputationOptions: { reputationMetricsEnabled: true },
    sendingOptions: { sendingEnabled: true },
  });
  new ses.CfnConfigurationSetEventDestination(stack, 'MailReports', {
    configurationSetName: set.ref,
    eventDestination: {
      name: FEEDBACK_QUEUE,
      enabled: true,
      matchingEventTypes: ['bounce', 'complaint'],
      eventBridgeDestination: { eventBusArn: arnOf('events', 'event-bus/default') },
    },
  });
  const rule = new events.Rule(stack, 'MailReportsRule', {
    description: 'Bounces and complaints of mails of this stage',
    enabled: !paused,
    eventPattern: {
      source: ['aws.ses'],
      detailType: ['Email Bounced', 'Email Complaint Received'],
      detail: { mail: { tags: { 'ses:configuration-set': [set.ref] } } },
    },
  });
  rule.addTarget(new targets.SqsQueue(feedback));
}
