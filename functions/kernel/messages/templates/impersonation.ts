import * as z from 'zod';

import { formatDateTime } from '../../locale.ts';
import { template } from '../template.ts';

/** Informs a user that support has opened a session in their name. It names neither the person nor the reason, which may be internal. */
export const impersonationMail = template({
  name: 'impersonation',
  cause: 'own_account',
  values: z.object({
    /** The time at which the session began (ISO 8601). */
    at: z.iso.datetime(),
  }),
  email: ({ at }, { translate, locale }) => {
    const subject = translate('impersonation.subject');
    const happened = translate('impersonation.happened', { when: formatDateTime(locale, at) });
    return {
      subject,
      preheader: happened,
      heading: subject,
      blocks: [
        { kind: 'paragraph', text: happened },
        { kind: 'note', text: translate('impersonation.otherwise') },
      ],
    };
  },
});
