import type { EnvironmentRecord } from '../../kernel/storage/environment.ts';
import { type Brand, readMessageSettings } from '../../kernel/messages/brand.ts';
import type { SealedMessage } from '../../kernel/messages/compose.ts';
import type { MessageRecord } from '../../kernel/messages/entity.ts';
import { type Mail, renderMail } from '../../kernel/messages/render.ts';
import type { Template } from '../../kernel/messages/template.ts';
import { withoutLinks } from '../../kernel/messages/name.ts';
import { oneLine } from '../../kernel/messages/text.ts';
import { messageLanguageFor } from '../../kernel/messages/words/index.ts';
import { cutText } from '../../kernel/text.ts';

/** A message in the form in which it is sent. */
export type RenderedMessage =
  | { channel: 'email'; to: string; mail: Mail; brand: Brand }
  | { channel: 'sms'; to: string; text: string };

/** Maximum characters of an SMS. SNS accepts 1,600 and splits them into parts, each of which costs money. */
const MOST_SMS = 1_600;

/**
 * Renders a message with its environment's brand, in its reader's language.
 * @throws any error of the template or its schema for invalid values
 */
export async function renderMessage(
  channel: MessageRecord['channel'],
  template: Template,
  { to, locale, values }: SealedMessage,
  environment: Pick<EnvironmentRecord, 'name' | 'settings'>,
): Promise<RenderedMessage> {
  const { brand: sender, locale: fallback, isCodeInSubject, texts } = readMessageSettings(environment);
  const brand = { ...sender, name: withoutLinks(sender.name) };
  const parsed = template.values.parse(values);
  const language = await messageLanguageFor([locale, fallback], texts, { brand: brand.name });
  const setting = { ...language, brand, isCodeInSubject };
  if (channel === 'sms') {
    if (template.sms === undefined) throw new TypeError('This template is not sent by SMS');
    const lines = [template.sms(parsed, setting)].flat();
    return {
      channel,
      to,
      text: cutText(lines.map((line) => oneLine(line, MOST_SMS)).join('\n'), 0, MOST_SMS),
    };
  }
  if (template.email === undefined) throw new TypeError('This template is not sent by email');
  return { channel, to, brand: sender, mail: renderMail(template.email(parsed, setting), setting) };
}
