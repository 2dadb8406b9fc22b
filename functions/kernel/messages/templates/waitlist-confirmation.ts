import * as z from 'zod';

import { Address } from '../name.ts';
import { template } from '../template.ts';

/** Confirms a place on the waitlist. */
export const waitlistConfirmation = template({
  name: 'waitlist-confirmation',
  cause: 'invitation',
  values: z.object({ email: Address }),
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
