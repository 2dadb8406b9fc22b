import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';

import { emailAddress } from '../../kernel/address.ts';
import type { Brand } from '../../kernel/messages/brand.ts';
import type { Mail } from '../../kernel/messages/render.ts';
import { settings } from '../../kernel/settings.ts';
import { CHANNEL_OPTIONS } from './channel-options.ts';
import { formatSender } from './sender.ts';

/** A mail with its recipient. */
export interface OutgoingEmail {
  to: string;
  mail: Mail;
  brand: Brand;
  /** The tags that SES repeats in its reports about the mail. */
  tags: Readonly<Record<string, string>>;
}

let client: SESv2Client | undefined;

/** Sends a mail through SES. @returns the message id of SES */
export async function sendEmail({ to, mail, brand, tags }: OutgoingEmail): Promise<string | undefined> {
  const { subject, text, html } = mail;
  client ??= new SESv2Client(CHANNEL_OPTIONS);
  const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
  const replyTo = brand.supportEmail === undefined ? undefined : emailAddress(brand.supportEmail);
  const set = settings().GATEHOUSE_MAIL_SET;
  const { MessageId } = await client.send(
    new SendEmailCommand({
      ...(set === '' ? {} : { ConfigurationSetName: set }),
      FromEmailAddress: formatSender(brand.name, settings().GATEHOUSE_MAIL_FROM),
      Destination: { ToAddresses: [to] },
      EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
      ...(replyTo === undefined ? {} : { ReplyToAddresses: [replyTo] }),
      Content: {
        Simple: {
          Subject: part(subject),
          Body: { Text: part(text), Html: part(html) },
          // Programs that reply automatically do not reply to this mail (RFC 3834 section 5).
          Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
        },
      },
    }),
  );
  return MessageId;
}

/** Closes and discards the client, for a runtime whose endpoint has moved. */
export function closeEmail(): void {
  client?.destroy();
  client = undefined;
}
