import * as z from 'zod';

import { template } from '../template.ts';

/** Confirms a place on the waitlist. */
export const waitlistConfirmation = template({
  name: 'waitlist-confirmation',
  values: z.object({ email: z.string().min(1) }),
  email: ({ email }, { translate }) => ({
    subject: translate('waitlist.subject'),
    preheader: translate('waitlist.next'),
    heading: translate('waitlist.subject'),
    blocks: [
      { kind: 'paragraph', text: translate('waitlist.lead', { email }) },
      { kind: 'paragraph', text: translate('waitlist.next') },
      { kind: 'note', text: translate('waitlist.unexpected') },
    ],
  }),
});
