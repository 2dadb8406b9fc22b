import * as z from 'zod';

import { formatDuration } from '../../locale.ts';
import { template } from '../template.ts';
import { requestFacts, RequestValues } from './request-facts.ts';

/** Contains the link to choose a new password. */
export const passwordResetMail = template({
  name: 'password-reset',
  cause: 'own_sign_in',
  values: z.object({
    /** The link, which contains a token. */
    url: z.url(),
    /** Validity of the link in minutes. */
    minutes: z.number().int().min(1),
    request: RequestValues,
  }),
  email: ({ url, minutes, request }, setting) => {
    const { translate, locale } = setting;
    const ask = translate('password_reset.ask');
    return {
      subject: translate('password_reset.subject'),
      preheader: ask,
      heading: translate('password_reset.heading'),
      blocks: [
        { kind: 'paragraph', text: ask },
        { kind: 'action', label: translate('password_reset.button'), url },
        { kind: 'note', text: translate('password_reset.note', { time: formatDuration(locale, minutes, 'minute') }) },
        ...requestFacts(request, setting),
        { kind: 'note', text: translate('password_reset.unexpected') },
      ],
    };
  },
});
