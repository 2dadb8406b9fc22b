import { SQSClient, GetQueueAttributesCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';

import { type Aws, REGION } from './aws.ts';
import { knownErrors } from './known.ts';
import type { DeployedStage } from './stage.ts';
import { must, type Steps } from './steps.ts';

interface LogPage {
  events: { message: string }[];
  nextToken?: string;
}

/** Checks that the background work had no failures. */
export const runCleanupChecks = (steps: Steps, { aws, stage }: DeployedStage) =>
  steps.flow('afterwards', async (step) => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const sqs = new SQSClient({ endpoint: aws.endpoint, region: REGION, credentials });
    try {
      await step('no dead letter', async () => {
        const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: `gatehouse-${stage}-` }));
        const dead = QueueUrls.filter((url) => url.includes('dead'));
        const letters = await Promise.all(
          dead.map(async (QueueUrl) => {
            const asked = { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] };
            const { Attributes } = await sqs.send(new GetQueueAttributesCommand(asked));
            return [QueueUrl.split('/').at(-1), Attributes?.ApproximateNumberOfMessages];
          }),
        );
        must(letters.length > 0 && letters.every(([, count]) => count === '0'), letters);
      });
    } finally {
      sqs.destroy();
    }
    await step('no function logged an error', async () => {
      const errors = (await logged(aws, `/gatehouse/${stage}`)).filter((line) => line.includes('"level":"error"'));
      const ours = errors.filter((line) => !knownErrors.some((text) => line.includes(text)));
      must(
        ours.length === 0,
        ours.map((line) => line.slice(0, 300)),
      );
    });
  });

/** The lines of a log group. */
export async function logged(aws: Aws, logGroupName: string): Promise<string[]> {
  const lines: string[] = [];
  let nextToken: string | undefined;
  do {
    const asked = { logGroupName, ...(nextToken === undefined ? {} : { nextToken }) };
    const page = await aws.json<LogPage>('logs', 'Logs_20140328.FilterLogEvents', asked);
    lines.push(...page.events.map(({ message }) => message));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  if (lines.length === 0) throw new Error(`Nothing was logged to ${logGroupName}`);
  return lines;
}
