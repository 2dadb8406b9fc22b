import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';

import { clock } from '../../../functions/kernel/clock.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { closeChannels } from '../../../functions/messages/channels.ts';
import { startKeys } from '../../../lib/local/keys/server.ts';
import { startTable } from '../../support/table.ts';
import { type Providers, startProviders } from './providers.ts';

/**
 * Starts the table, KMS, SES and SNS, and sets the variables by which this process's workers of messages find them.
 * @param variables Further variables of those workers.
 */
export async function startSending(
  variables: Readonly<Record<string, string>> = {},
): Promise<{ providers: Providers; stop: () => Promise<void> }> {
  const table = await startTable();
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
