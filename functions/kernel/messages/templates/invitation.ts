import * as z from 'zod';

import { cutText } from '../../text.ts';
import type { MailContent } from '../content.ts';
import { formatDateTime } from '../../locale.ts';
import { type Setting, template } from '../template.ts';

const Values = z.object({
  /** The organization that the reader is invited to; absent for an invitation to the environment itself. */
  organizationName: z.string().min(1).optional(),
  /** The name of the inviting user, if known. */
  inviterName: z.string().min(1).optional(),
  /** The link that accepts the invitation; it contains a token. */
  acceptUrl: z.url(),
  /** The time when the link expires (ISO 8601). */
  expiresAt: z.iso.datetime(),
});

interface Words {
  /**
   * Returns a subject such as "Ada Lovelace invited you to Acme"; without a name it says only that the reader is invited.
   */
  subject: (place: string, inviter: string | undefined) => string;
  lead: (place: string, brand: string, inviter: string | undefined) => string;
  accept: string;
  until: (moment: string) => string;
  unexpected: string;
}

/**
 * Maximum characters of the inviter's name in the subject: users choose their names, and a long one must not fill the
 * subject.
 */
const MOST_IN_SUBJECT = 40;

const shortened = (name: string): string => {
  const start = cutText(name, 0, MOST_IN_SUBJECT);
  return start.length < name.length ? `${start.trimEnd()}…` : name;
};

const write =
  (words: Words) =>
  ({ organizationName, inviterName, acceptUrl, expiresAt }: z.output<typeof Values>, setting: Setting): MailContent => {
    const { brand, locale } = setting;
    const place = organizationName ?? brand.name;
    const until = words.until(formatDateTime(locale, expiresAt));
    return {
      subject: words.subject(place, inviterName && shortened(inviterName)),
      preheader: until,
      heading: words.subject(place, inviterName),
      blocks: [
        { kind: 'paragraph', text: words.lead(place, brand.name, inviterName) },
        { kind: 'action', label: words.accept, url: acceptUrl },
        { kind: 'note', text: until },
        { kind: 'note', text: words.unexpected },
      ],
    };
  };

/** Invites a person to an organization, or to the environment. */
export const invitation = template({
  name: 'invitation',
  values: Values,
  email: {
    en: write({
      subject: (place, inviter) =>
        inviter === undefined ? `You are invited to ${place}` : `${inviter} invited you to ${place}`,
      lead: (place, brand, inviter) =>
        inviter === undefined
          ? `You are invited to join ${place} on ${brand}.`
          : `${inviter} invites you to join ${place} on ${brand}.`,
      accept: 'Accept invitation',
      until: (time) => `This link expires on ${time} and can be used once, by you only.`,
      unexpected: 'If you did not expect this, you can ignore it. Nothing happens until the link is used.',
    }),
    de: write({
      subject: (place, inviter) =>
        inviter === undefined ? `Sie sind zu ${place} eingeladen` : `${inviter} hat Sie zu ${place} eingeladen`,
      lead: (place, brand, inviter) =>
        inviter === undefined
          ? `Sie sind eingeladen, ${place} auf ${brand} beizutreten.`
          : `${inviter} lädt Sie ein, ${place} auf ${brand} beizutreten.`,
      accept: 'Einladung annehmen',
      until: (time) => `Der Link gilt bis ${time}, einmal und nur für Sie.`,
      unexpected: 'Falls Sie das nicht erwartet haben: Ohne den Link zu öffnen, geschieht nichts.',
    }),
    fr: write({
      subject: (place, inviter) =>
        inviter === undefined ? `Vous êtes invité à rejoindre ${place}` : `${inviter} vous invite à rejoindre ${place}`,
      lead: (place, brand, inviter) =>
        inviter === undefined
          ? `Vous êtes invité à rejoindre ${place} sur ${brand}.`
          : `${inviter} vous invite à rejoindre ${place} sur ${brand}.`,
      accept: 'Accepter l’invitation',
      until: (time) => `Le lien fonctionne jusqu’au ${time}, une seule fois et pour vous seul.`,
      unexpected: 'Si vous ne vous y attendiez pas, ignorez ce message : rien ne se passe sans ouvrir le lien.',
    }),
    es: write({
      subject: (place, inviter) =>
        inviter === undefined ? `Tiene una invitación a ${place}` : `${inviter} le ha invitado a ${place}`,
      lead: (place, brand, inviter) =>
        inviter === undefined
          ? `Tiene una invitación para unirse a ${place} en ${brand}.`
          : `${inviter} le invita a unirse a ${place} en ${brand}.`,
      accept: 'Aceptar la invitación',
      until: (time) => `El enlace funciona hasta el ${time}, una sola vez y solo para usted.`,
      unexpected: 'Si no lo esperaba, puede ignorarlo: no ocurre nada sin abrir el enlace.',
    }),
  },
});
