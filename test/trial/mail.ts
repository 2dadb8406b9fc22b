import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import { recipientHash } from '../../functions/kernel/messages/entity.ts';
import { until } from '../soak/scenario.ts';
import { logged } from './cleanup-checks.ts';
import { type Aws, REGION } from './aws.ts';
import { newEmail } from './client.ts';
import type { DeployedStage } from './stage.ts';
import { must, type Steps } from './steps.ts';

const LIMIT_MS = 90_000;
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

interface Suppressions {
  data: { id: string; email: string; reason: string }[];
}

/**
 * A mail that bounces: its report is sent to the queue in the form of SES, and the worker records it. The emulator accepts
 * mails but reports none of them, and its bus accepts such an event from no caller, like that of AWS.
 */
export const mailFeedback = (steps: Steps, stage: DeployedStage) =>
  steps.flow('mail that comes back', async (step) => {
    const { sdk, connection, aws, stage: name, environmentId } = stage;
    const email = newEmail();
    const suppressed = () =>
      connection.demand<Suppressions>({
        method: 'GET',
        path: `/x/messages/suppressions?email=${encodeURIComponent(email)}`,
      });
    await step('the sender is verified', () =>
      aws.rest('ses', 'POST', '/v2/email/identities', { EmailIdentity: 'no-reply@gatehouse.invalid' }),
    );
    await step('a code is mailed', () => sdk.userManagement.createMagicAuth({ email }));
    const row = await step('SES takes it', async () => {
      const isTaken = (found: MailRow | undefined) => found?.providerId !== undefined;
      const taken = until('the mail', LIMIT_MS, () => mailTo(stage, email), isTaken);
      return taken.catch(async (error: unknown) => {
        const lines = await logged(aws, `/gatehouse/${name}`);
        throw new Error(`${String(error)}: ${lines.filter((line) => line.includes('message failed')).at(-1)}`);
      });
    });
    const event = {
      source: 'aws.ses',
      'detail-type': 'Email Bounced',
      detail: {
        eventType: 'Bounce',
        bounce: { bounceType: 'Permanent', bounceSubType: 'NoEmail', bouncedRecipients: [{ status: '5.1.1' }] },
        mail: {
          messageId: row?.providerId,
          destination: [email],
          tags: {
            'ses:configuration-set': [`gatehouse-${name}-mail`],
            gatehouse_environment: [environmentId],
            gatehouse_message: [row?.id],
          },
        },
      },
    };
    await step('only AWS puts a bounce on the default bus', async () => must(await isRejected(aws, event), event));
    await step('a bounce is in the queue', () => enqueue(stage, event));
    const { data } = await step('the address becomes suppressed', () =>
      until('the suppression', LIMIT_MS, suppressed, (found) => found.data.length === 1),
    );
    await step('a further mail is not sent, and its row says why', async () => {
      await sdk.userManagement.createMagicAuth({ email });
      const isFailed = (found: MailRow | undefined) => found?.state === 'failed' && found.failure === 'suppressed';
      await until('the failure', LIMIT_MS, () => mailTo(stage, email, row?.id), isFailed);
    });
    await step('lift it', () =>
      connection.demand({ method: 'DELETE', path: `/x/messages/suppressions/${data[0]?.id}` }),
    );
    await step('the list is empty again', async () => {
      const left = await suppressed();
      must(left.data.length === 0, left.data);
    });
  });

interface MailRow {
  id: string;
  state: string | undefined;
  failure: string | undefined;
  providerId: string | undefined;
}

/** The row of a mail to another address than the given one. */
async function mailTo({ aws, stage, environmentId }: DeployedStage, email: string, known?: string) {
  const client = new DynamoDBClient({ endpoint: aws.endpoint, region: REGION, credentials });
  try {
    const { Items = [] } = await client.send(
      new ScanCommand({
        TableName: `gatehouse-${stage}-records`,
        FilterExpression: 'recipient = :recipient',
        ExpressionAttributeValues: { ':recipient': { S: recipientHash(environmentId, email) } },
      }),
    );
    const rows = Items.map(({ id, state, failure, providerId }): MailRow => ({
      id: id?.S ?? '',
      state: state?.S,
      failure: failure?.S,
      providerId: providerId?.S,
    }));
    return rows.find(({ id }) => id !== known);
  } finally {
    client.destroy();
  }
}

/** The message that the rule sends to the queue. */
interface Report {
  source: string;
  'detail-type': string;
  detail: object;
}

/** Reports whether the default bus rejects an event with a false source. */
async function isRejected(aws: Aws, { source, 'detail-type': type, detail }: Report): Promise<boolean> {
  const client = new EventBridgeClient({ endpoint: aws.endpoint, region: REGION, credentials });
  try {
    const entry = { Source: source, DetailType: type, Detail: JSON.stringify(detail) };
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }));
    return Entries[0]?.ErrorCode === 'NotAuthorizedForSourceException';
  } finally {
    client.destroy();
  }
}

/** Sends a report to the queue as the rule would. */
async function enqueue({ aws, stage }: DeployedStage, report: Report): Promise<void> {
  const client = new SQSClient({ endpoint: aws.endpoint, region: REGION, credentials });
  try {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: `gatehouse-${stage}-mail-feedback` }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(report) }));
  } finally {
    client.destroy();
  }
}
