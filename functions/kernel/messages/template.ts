import type * as z from 'zod';

import type { Brand } from './brand.ts';
import type { MessageCause } from './cause.ts';
import type { MailContent } from './content.ts';
import type { MessageLanguage } from './words/index.ts';

/** The arguments of a template in addition to its values. */
export interface Setting extends MessageLanguage {
  brand: Brand;
  /** True if the environment wants codes in the subjects of mails. */
  isCodeInSubject: boolean;
}

/**
 * A kind of message: a pure function from values to content in the language of its reader. Its name is stored with messages
 * that are not sent yet, so it never changes.
 */
export interface Template<Name extends string = string, Values extends z.ZodType = z.ZodType> {
  name: Name;
  /** Its cause, by which its messages to one recipient are limited. */
  cause: MessageCause;
  /** The schema of the template's values, which must be JSON. */
  values: Values;
  /** The mail; absent for a template that is only sent by SMS. */
  email?: (values: z.output<Values>, setting: Setting) => MailContent;
  /** The SMS: one or more lines, if possible below 160 characters of the GSM alphabet in total. */
  sms?: (values: z.output<Values>, setting: Setting) => string | readonly string[];
}

/** Declares a template. */
export function template<const Name extends string, Values extends z.ZodType>(
  definition: Template<Name, Values>,
): Template<Name, Values> {
  return definition;
}
