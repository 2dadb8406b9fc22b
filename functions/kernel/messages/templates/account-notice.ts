import * as z from 'zod';

import { formatDateTime } from '../../locale.ts';
import type { Values } from '../../translator.ts';
import type { Block, MailContent } from '../content.ts';
import { Address } from '../name.ts';
import { type Setting, template } from '../template.ts';
import { requestFacts, RequestValues } from './request-facts.ts';

/** The notices, by the prefix of their texts. */
type NoticeName =
  | 'password_changed'
  | 'email_changed'
  | 'wrong_codes'
  | 'passkey_added'
  | 'recovery_code_used'
  | 'recovery_codes';

/** The values of a notice about a change. */
export const Change = z.object({
  /** The time of the change (ISO 8601). */
  at: z.iso.datetime(),
  request: RequestValues,
});

/** Composes a notice of its texts. */
export function composeNotice(
  name: NoticeName,
  { at, request }: z.output<typeof Change>,
  setting: Setting,
  more: Values = {},
): MailContent {
  const { translate, locale } = setting;
  const happened = translate(`${name}.happened`, { when: formatDateTime(locale, at), ...more });
  const subject = translate(`${name}.subject`);
  return {
    subject,
    preheader: happened,
    heading: subject,
    blocks: [
      { kind: 'paragraph', text: happened },
      ...requestFacts(request, setting),
      { kind: 'note', text: translate(`${name}.otherwise`) },
      ...homeAction(setting),
    ],
  };
}

/** The button that leads to the application, where the reader signs in or resets the password; none without its address. */
export const homeAction = ({ brand, translate }: Setting): Block[] =>
  brand.homeUrl === undefined ? [] : [{ kind: 'action', label: translate('notice.button'), url: brand.homeUrl }];

/** Notifies the owner of an account that its password was changed. */
export const passwordChangedMail = template({
  name: 'password-changed',
  cause: 'own_account',
  values: Change,
  email: (values, setting) => composeNotice('password_changed', values, setting),
});

/** Informs the previous address that the account has a new one. */
export const emailChangedMail = template({
  name: 'email-changed',
  cause: 'own_account',
  values: Change.extend({ newEmail: Address }),
  email: (values, setting) => composeNotice('email_changed', values, setting, { email: values.newEmail }),
});

/** Informs the owner of an account that a sign-in passed the first factor and entered wrong codes for the second. */
export const wrongFactorCodesMail = template({
  name: 'wrong-factor-codes',
  cause: 'own_account',
  values: Change,
  email: (values, setting) => composeNotice('wrong_codes', values, setting),
});
