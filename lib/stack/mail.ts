import type { Stack } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as ses from 'aws-cdk-lib/aws-ses';
import type * as sqs from 'aws-cdk-lib/aws-sqs';

import type { InboundQueueName } from '../../functions/kernel/area.ts';
import { arnOf, makeMailSet } from './names.ts';
import type { StageSettings } from './settings.ts';

/** The queue that receives the reports of SES about mails. */
export const FEEDBACK_QUEUE: InboundQueueName = 'mail-feedback';

/**
 * Adds the resources for the mail of a stage: the configuration set of SES, and the path of its reports of bounces and
 * complaints over the account's default bus, the only one that SES supports, to the queue. Only AWS itself can put events
 * of `aws.ses` on a bus, and the rule accepts those of this stage's configuration set.
 */
export function addMail(
  stack: Stack,
  { stage, paused }: Pick<StageSettings, 'stage' | 'paused'>,
  feedback: sqs.IQueue,
): void {
  const name = makeMailSet(stage);
  const set = new ses.CfnConfigurationSet(stack, 'MailSet', {
    name,
    // Each environment stores the addresses to which it must not send mail, and removes them; the account's list would
    // override that.
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
