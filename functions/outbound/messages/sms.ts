import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';

import { CHANNEL_OPTIONS } from './channel-options.ts';

let client: SNSClient | undefined;

/** Sends an SMS through SNS with transactional priority. @returns the message id of SNS */
export async function sendSms(to: string, text: string): Promise<string | undefined> {
  client ??= new SNSClient(CHANNEL_OPTIONS);
  const { MessageId } = await client.send(
    new PublishCommand({
      PhoneNumber: to,
      Message: text,
      MessageAttributes: { 'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' } },
    }),
  );
  return MessageId;
}

/** Closes and discards the client, for a runtime whose endpoint has moved. */
export function closeSms(): void {
  client?.destroy();
  client = undefined;
}
