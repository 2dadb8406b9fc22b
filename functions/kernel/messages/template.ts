import type * as z from 'zod';

import type { Brand } from './brand.ts';
import type { MailContent } from './content.ts';
import type { Localized } from '../locale.ts';

/** What a template is given beside its values. */
export interface Setting {
  brand: Brand;
  /** The language it writes in. */
  locale: string;
}

/** A kind of message: pure, from values to content. Its name is stored with messages that wait, so it never changes. */
export interface Template<Name extends string = string, Values extends z.ZodType = z.ZodType> {
  name: Name;
  /** What it needs to know; JSON only. */
  values: Values;
  /** As a mail; absent for a template that is sent by SMS alone. */
  email?: Localized<(values: z.output<Values>, setting: Setting) => MailContent>;
  /** As an SMS: a line or several, best below 160 characters of the GSM alphabet in all. */
  sms?: Localized<(values: z.output<Values>, setting: Setting) => string | readonly string[]>;
}

/** Declares a template. */
export function template<const Name extends string, Values extends z.ZodType>(
  definition: Template<Name, Values>,
): Template<Name, Values> {
  return definition;
}
