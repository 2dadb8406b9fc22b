import * as z from 'zod';

import { formatDateTime } from '../../locale.ts';
import type { Block, MailContent } from '../content.ts';
import { type Setting, template } from '../template.ts';
import { homeAction } from './account-notice.ts';

/** Composes a mail that says when a factor is removed, with the texts of a prefix and further blocks. */
function describeReset(
  prefix: 'factor_reset' | 'factor_reset_pending',
  at: string,
  { translate, locale }: Setting,
  more: readonly Block[],
): MailContent {
  const subject = translate(`${prefix}.subject`);
  const happened = translate(`${prefix}.happened`, { when: formatDateTime(locale, at) });
  return {
    subject,
    preheader: happened,
    heading: subject,
    blocks: [{ kind: 'paragraph', text: happened }, ...more],
  };
}

/** Notifies the owner of an account that support removed a second factor. */
export const factorResetMail = template({
  name: 'factor-reset',
  cause: 'own_account',
  values: z.object({
    /** The time of the removal (ISO 8601). */
    at: z.iso.datetime(),
  }),
  email: ({ at }, setting) =>
    describeReset('factor_reset', at, setting, [
      { kind: 'note', text: setting.translate('factor_reset.otherwise') },
      ...homeAction(setting),
    ]),
});

/** Notifies the owner of an account that support will remove a second factor, with a link that stops it. */
export const pendingFactorResetMail = template({
  name: 'factor-reset-pending',
  cause: 'own_account',
  values: z.object({
    /** The time from which the factor is removed (ISO 8601). */
    at: z.iso.datetime(),
    /** The link, which contains a token. */
    url: z.url(),
  }),
  email: ({ at, url }, setting) =>
    describeReset('factor_reset_pending', at, setting, [
      { kind: 'paragraph', text: setting.translate('factor_reset_pending.otherwise') },
      { kind: 'action', label: setting.translate('factor_reset_pending.button'), url },
    ]),
});
