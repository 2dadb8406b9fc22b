import * as z from 'zod';

import { formatDateTime } from '../../locale.ts';
import { template } from '../template.ts';
import { homeAction } from './account-notice.ts';

/** Notifies the owner of an account that support removed a second factor. */
export const factorResetMail = template({
  name: 'factor-reset',
  values: z.object({
    /** The time of the removal (ISO 8601). */
    at: z.iso.datetime(),
  }),
  email: ({ at }, setting) => {
    const { translate, locale } = setting;
    const subject = translate('factor_reset.subject');
    const happened = translate('factor_reset.happened', { when: formatDateTime(locale, at) });
    return {
      subject,
      preheader: happened,
      heading: subject,
      blocks: [
        { kind: 'paragraph', text: happened },
        { kind: 'note', text: translate('factor_reset.otherwise') },
        ...homeAction(setting),
      ],
    };
  },
});

/** Notifies the owner of an account that support will remove a second factor, with a link that stops it. */
export const pendingFactorResetMail = template({
  name: 'factor-reset-pending',
  values: z.object({
    /** The time from which the factor is removed (ISO 8601). */
    at: z.iso.datetime(),
    /** The link, which contains a token. */
    url: z.url(),
  }),
  email: ({ at, url }, { translate, locale }) => {
    const subject = translate('factor_reset_pending.subject');
    const happened = translate('factor_reset_pending.happened', { when: formatDateTime(locale, at) });
    return {
      subject,
      preheader: happened,
      heading: subject,
      blocks: [
        { kind: 'paragraph', text: happened },
        { kind: 'paragraph', text: translate('factor_reset_pending.otherwise') },
        { kind: 'action', label: translate('factor_reset_pending.button'), url },
      ],
    };
  },
});
