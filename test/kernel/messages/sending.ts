import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { jest } from '@jest/globals';

import { clock } from '../../../functions/kernel/clock.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { closeChannels } from '../../../functions/outbound/messages/channels.ts';
import { send } from '../../../functions/outbound/messages/handler.ts';
import { startKeys } from '../../../lib/local/keys/server.ts';
import { startMemoryTable } from '../../support/table.ts';
import { type Providers, startProviders } from './providers.ts';

/**
 * Starts the table, KMS, SES and SNS, and sets the variables by which this process's workers of messages find them.
 * @param variables Further variables of those workers.
 */
export async function startSending(
  variables: Readonly<Record<string, string>> = {},
): Promise<{ providers: Providers; stop: () => Promise<void> }> {
  const table = await startMemoryTable();
  const providers = await startProviders();
  const keys = await startKeys({ now: clock.now });
  process.env.AWS_ENDPOINT_URL_KMS = keys.url;
  const kms = new KMSClient({});
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
  kms.destroy();
  Object.assign(process.env, {
    GATEHOUSE_KMS_KEY: KeyMetadata?.KeyId,
    GATEHOUSE_MAIL_FROM: 'Gatehouse <no-reply@gatehouse.example>',
    GATEHOUSE_LOG_LEVEL: 'info',
    ...variables,
  });
  forgetSettings();
  const stop = async () => {
    await closeChannels();
    await Promise.all([table.stop(), providers.stop(), keys.close()]);
  };
  return { providers, stop };
}

/**
 * Delivers the queue item of a message once.
 * @returns true if the queue may delete it
 */
export async function deliverItem(environmentId: string, id: string): Promise<boolean> {
  const record = {
    messageId: 'item',
    body: JSON.stringify({ environment_id: environmentId, id }),
    attributes: { ApproximateReceiveCount: '1' },
  };
  const { batchItemFailures } = await send({ Records: [record] } as never, {} as never);
  return batchItemFailures.length === 0;
}

/**
 * Makes the first write to the table that contains a text conflict with a transaction.
 * @returns a function that returns the number of such writes
 */
export function conflictOnce(containing: string): () => number {
  const client = tableClient();
  const original = client.send.bind(client);
  let writes = 0;
  jest.spyOn(client, 'send').mockImplementation(((command: { input: object }, options: object) => {
    if (JSON.stringify(command.input).includes(containing)) {
      writes += 1;
      if (writes === 1) throw Object.assign(new Error('busy'), { name: 'TransactionConflictException' });
    }
    return original(command as never, options);
  }) as never);
  return () => writes;
}
