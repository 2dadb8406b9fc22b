import * as z from 'zod';

import { enumeration, formatDateTime } from '../../locale.ts';
import { template } from '../template.ts';

const INTENTS = {
  sso: 'single sign-on',
  directory_sync: 'directory sync',
  log_streams: 'log streams',
  domain_verification: 'domain verification',
  bring_your_own_key: 'your own encryption key',
} as const;

/** Asks an organization's IT contact to set something up through a personal link. */
export const itContactInvitation = template({
  name: 'it-contact-invitation',
  values: z.object({
    organizationName: z.string().min(1),
    /** The features to set up; at least one. */
    intents: z
      .array(z.enum(['sso', 'directory_sync', 'log_streams', 'domain_verification', 'bring_your_own_key']))
      .min(1),
    /** The setup link, which contains a token. */
    setupUrl: z.url(),
    /** The time when the link expires (ISO 8601). */
    expiresAt: z.iso.datetime(),
  }),
  email: {
    en: ({ organizationName, intents, setupUrl, expiresAt }, { brand, locale }) => {
      const tasks = intents.map((intent) => INTENTS[intent]);
      return {
        subject: `Set up ${enumeration(locale, tasks)} for ${organizationName}`,
        preheader: `${brand.name} asks you to finish the setup. The link expires on ${formatDateTime(locale, expiresAt)}.`,
        heading: `Set up ${organizationName} with ${brand.name}`,
        blocks: [
          {
            kind: 'paragraph',
            text: `You are an IT contact of ${organizationName}. ${brand.name} asks you to set up:`,
          },
          { kind: 'list', items: tasks },
          { kind: 'action', label: 'Start setup', url: setupUrl },
          {
            kind: 'note',
            text: `The link expires on ${formatDateTime(locale, expiresAt)}. Anyone who has it can use it, so do not forward it.`,
          },
          {
            kind: 'note',
            text: 'If you did not expect this, you can ignore it: nothing changes until the link is used.',
          },
        ],
      };
    },
  },
});
