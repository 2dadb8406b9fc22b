import * as z from 'zod';

import { enumeration, formatDateTime } from '../../locale.ts';
import { Name } from '../name.ts';
import { template } from '../template.ts';

/** Asks an organization's IT contact to set something up through a personal link. */
export const itContactInvitation = template({
  name: 'it-contact-invitation',
  cause: 'invitation',
  values: z.object({
    organizationName: Name,
    /** The features to set up; at least one. */
    intents: z
      .array(z.enum(['sso', 'directory_sync', 'log_streams', 'domain_verification', 'bring_your_own_key']))
      .min(1),
    /** The setup link, which contains a token. */
    setupUrl: z.url(),
    /** The time when the link expires (ISO 8601). */
    expiresAt: z.iso.datetime(),
  }),
  email: ({ organizationName: organization, intents, setupUrl, expiresAt }, { locale, translate }) => {
    const tasks = intents.map((intent) => translate(`it_contact.${intent}`));
    const when = formatDateTime(locale, expiresAt);
    return {
      subject: translate('it_contact.subject', { tasks: enumeration(locale, tasks), organization }),
      preheader: translate('it_contact.preheader', { when }),
      heading: translate('it_contact.heading', { organization }),
      blocks: [
        { kind: 'paragraph', text: translate('it_contact.lead', { organization }) },
        { kind: 'list', items: tasks },
        { kind: 'action', label: translate('it_contact.button'), url: setupUrl },
        { kind: 'note', text: translate('it_contact.note', { when }) },
        { kind: 'note', text: translate('it_contact.unexpected') },
      ],
    };
  },
});
