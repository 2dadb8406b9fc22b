import type { SESv2Client } from '@aws-sdk/client-sesv2';
import type { SNSClient } from '@aws-sdk/client-sns';

import { emailAddress } from '../kernel/messages/address.ts';
import type { Brand } from '../kernel/messages/brand.ts';
import type { Mail } from '../kernel/messages/render.ts';
import { settings } from '../kernel/settings.ts';
import { senderOf } from './sender.ts';

/**
 * One attempt a call: SES and SNS know no idempotency, so a client that repeats a call whose answer was lost sends twice.
 * The queue repeats instead, minutes later.
 */
const OPTIONS = { maxAttempts: 1, requestHandler: { connectionTimeout: 2_000, requestTimeout: 8_000 } } as const;

let email: SESv2Client | undefined;
let sms: SNSClient | undefined;

/** Sends a mail through SES. @returns the id under which SES took it. */
export async function sendEmail(to: string, { subject, text, html }: Mail, brand: Brand): Promise<string | undefined> {
  // Loaded when the first mail is sent: a process that runs all areas starts without it.
  const { SendEmailCommand, SESv2Client } = await import('@aws-sdk/client-sesv2');
  email ??= new SESv2Client(OPTIONS);
  const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
  const replyTo = brand.supportEmail === undefined ? undefined : emailAddress(brand.supportEmail);
  const { MessageId } = await email.send(
    new SendEmailCommand({
      FromEmailAddress: senderOf(brand.name, settings().GATEHOUSE_MAIL_FROM),
      Destination: { ToAddresses: [to] },
      ...(replyTo === undefined ? {} : { ReplyToAddresses: [replyTo] }),
      Content: { Simple: { Subject: part(subject), Body: { Text: part(text), Html: part(html) } } },
    }),
  );
  return MessageId;
}

/** Sends an SMS through SNS, as one that is delivered before advertisements. @returns the id under which SNS took it. */
export async function sendSms(to: string, text: string): Promise<string | undefined> {
  const { PublishCommand, SNSClient } = await import('@aws-sdk/client-sns');
  sms ??= new SNSClient(OPTIONS);
  const { MessageId } = await sms.send(
    new PublishCommand({
      PhoneNumber: to,
      Message: text,
      MessageAttributes: { 'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' } },
    }),
  );
  return MessageId;
}

/** Closes and forgets the clients, for a runtime whose endpoints moved. */
export function closeChannels(): void {
  email?.destroy();
  sms?.destroy();
  email = undefined;
  sms = undefined;
}

/** What SES and SNS answer to an address or content that they will never take. */
const FINAL: ReadonlySet<string> = new Set([
  'BadRequestException',
  'MessageRejected',
  'InvalidParameterException',
  'InvalidParameter',
  'InvalidParameterValueException',
  'ParameterValueInvalid',
  'OptedOutException',
  'OptedOut',
]);

/**
 * Whether a refusal is about this message: everything else (throttling, faults, a paused account, a sender that is not
 * verified) passes by itself or when its operator acts.
 */
export function isFinal(error: unknown): boolean {
  return error instanceof Error && FINAL.has(error.name);
}
