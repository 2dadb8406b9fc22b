import {
  GetSMSAttributesCommand,
  GetSMSSandboxAccountStatusCommand,
  ListSubscriptionsByTopicCommand,
  SNSClient,
} from '@aws-sdk/client-sns';

import type { AwsCalls } from './aws-calls.ts';
import { type Finding, missing, note, ok } from '../../functions/record/modules/environment-attention/public.ts';

/** Minimum concurrent executions of a stage, and the usual number of a stage in use; new accounts have 10. */
const [FEWEST_EXECUTIONS, USUAL_EXECUTIONS] = [200, 1_000];
/** The default limit of SNS on SMS in new accounts, in US dollars a month. */
const DEFAULT_SMS_SPEND = 1;

/** Checks whether Lambda's concurrency is sufficient for the stage. */
export async function checkConcurrency(aws: AwsCalls, isProtected: boolean): Promise<Finding> {
  const { AccountLimit } = await aws.get<{ AccountLimit: { ConcurrentExecutions: number } }>(
    'lambda',
    '/2016-08-19/account-settings/',
  );
  const { ConcurrentExecutions: most } = AccountLimit;
  const needed = isProtected ? USUAL_EXECUTIONS : FEWEST_EXECUTIONS;
  if (most >= needed) return ok('lambda-quota', `Lambda runs ${most} functions at once in this account and region`);
  return missing(
    'lambda-quota',
    `Lambda runs only ${most} functions at once in this account and region; the stage needs ${needed}`,
    '$ aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 ' +
      `--desired-value ${USUAL_EXECUTIONS} --region ${aws.region}`,
  );
}

interface Place {
  stage: string;
  account: string;
  region: string;
  /** The partition of AWS: `aws`, or that of China. */
  partition: string;
}

/** Checks whether the alarms of the stage have a confirmed receiver. */
export async function checkAlarmAddress(place: Place, isProtected: boolean): Promise<Finding> {
  const { stage, account, region, partition } = place;
  const TopicArn = `arn:${partition}:sns:${region}:${account}:gatehouse-${stage}-alarms`;
  const client = new SNSClient({ region });
  const { Subscriptions = [] } = await client
    .send(new ListSubscriptionsByTopicCommand({ TopicArn }))
    .finally(() => client.destroy());
  const isConfirmed = ({ SubscriptionArn = '' }: { SubscriptionArn?: string | undefined }) =>
    SubscriptionArn.startsWith('arn:');
  const waiting = Subscriptions.filter((one) => !isConfirmed(one)).map(({ Endpoint = '' }) => Endpoint);
  if (waiting.length > 0) {
    return missing(
      'alarm-address',
      `not confirmed: ${waiting.join(', ')}`,
      'Open the mail "AWS Notification - Subscription Confirmation" there, and confirm. A link is valid for two days; for another:',
      `$ aws sns subscribe --topic-arn ${TopicArn} --protocol email --notification-endpoint ${waiting[0]} --region ${region}`,
    );
  }
  const receivers = Subscriptions.filter(isConfirmed).map(({ Endpoint = '' }) => Endpoint);
  if (receivers.length > 0) return ok('alarm-address', `alarms go to ${receivers.join(', ')}`);
  const next = [`Set "alarmEmail" of ${stage} in cdk.json, deploy, and confirm the mail that comes.`];
  return isProtected
    ? missing('alarm-address', 'no one receives alarms', ...next)
    : note('alarm-address', 'no one receives alarms', ...next);
}

/** Checks whether SNS sends codes to all phone numbers. A stage without factors by SMS does not need it. */
export async function checkSms(region: string): Promise<Finding> {
  const client = new SNSClient({ region });
  try {
    const { IsInSandbox } = await client.send(new GetSMSSandboxAccountStatusCommand({}));
    const { attributes = {} } = await client.send(new GetSMSAttributesCommand({ attributes: ['MonthlySpendLimit'] }));
    const spend = Number(attributes.MonthlySpendLimit ?? DEFAULT_SMS_SPEND);
    const next =
      'Only for factors by SMS: both are raised by a case at https://console.aws.amazon.com/support (SNS text messaging).';
    if (IsInSandbox === true) return note('sms', 'SMS go to verified phone numbers only: SNS is in its sandbox', next);
    if (spend <= DEFAULT_SMS_SPEND) return note('sms', `SNS sends SMS for at most USD ${spend} a month`, next);
    return ok('sms', `SNS sends SMS to all phone numbers, for at most USD ${spend} a month`);
  } finally {
    client.destroy();
  }
}
