import * as z from 'zod';

import { formatDateTime } from '../../locale.ts';
import { cutText } from '../../text.ts';
import { Name } from '../name.ts';
import { template } from '../template.ts';

/**
 * Maximum characters of the inviter's name in the subject: users choose their names, and a long one must not fill the
 * subject.
 */
const MOST_IN_SUBJECT = 40;

const shortened = (name: string): string => {
  const start = cutText(name, 0, MOST_IN_SUBJECT);
  return start.length < name.length ? `${start.trimEnd()}…` : name;
};

/** Invites a person to an organization, or to the environment. */
export const invitation = template({
  name: 'invitation',
  cause: 'invitation',
  values: z.object({
    /** The organization that the reader is invited to; absent for an invitation to the environment itself. */
    organizationName: Name.optional(),
    /** The name of the inviting user, if known. */
    inviterName: Name.optional(),
    /** The link that accepts the invitation; it contains a token. */
    acceptUrl: z.url(),
    /** The time when the link expires (ISO 8601). */
    expiresAt: z.iso.datetime(),
  }),
  email: ({ organizationName, inviterName, acceptUrl, expiresAt }, { brand, locale, translate }) => {
    const place = organizationName ?? brand.name;
    const until = translate('invitation.until', { when: formatDateTime(locale, expiresAt) });
    const subject = (inviter: string | undefined): string =>
      inviter === undefined
        ? translate('invitation.subject_plain', { place })
        : translate('invitation.subject', { place, inviter });
    return {
      subject: subject(inviterName && shortened(inviterName)),
      preheader: until,
      heading: subject(inviterName),
      blocks: [
        {
          kind: 'paragraph',
          text:
            inviterName === undefined
              ? translate('invitation.lead_plain', { place })
              : translate('invitation.lead', { place, inviter: inviterName }),
        },
        { kind: 'action', label: translate('invitation.button'), url: acceptUrl },
        { kind: 'note', text: until },
        { kind: 'note', text: translate('invitation.unexpected') },
      ],
    };
  },
});
