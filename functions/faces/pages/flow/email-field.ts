import { normalizeEmail } from '../../../kernel/address.ts';
import type { Form } from './step.ts';
import type { Visit } from './visit.ts';

/** The normalized address of the field, or an error text in the language of the page. */
export function emailIn(
  { surroundings: { language } }: Visit,
  { email: text }: Form,
): { email: string; wrong?: undefined } | { email?: undefined; wrong: string } {
  const email = normalizeEmail(text ?? '');
  if (email !== undefined) return { email };
  return { wrong: language.translate(text ? 'field.email_invalid' : 'field.email_missing') };
}
