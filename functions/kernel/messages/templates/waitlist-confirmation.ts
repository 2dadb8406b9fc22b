import * as z from 'zod';

import type { MailContent } from '../content.ts';
import { type Setting, template } from '../template.ts';

interface Words {
  subject: (brand: string) => string;
  lead: (email: string, brand: string) => string;
  next: string;
  unexpected: string;
}

const write =
  (words: Words) =>
  ({ email }: { email: string }, { brand }: Setting): MailContent => ({
    subject: words.subject(brand.name),
    preheader: words.next,
    heading: words.subject(brand.name),
    blocks: [
      { kind: 'paragraph', text: words.lead(email, brand.name) },
      { kind: 'paragraph', text: words.next },
      { kind: 'note', text: words.unexpected },
    ],
  });

/** Confirms a place on the waitlist. */
export const waitlistConfirmation = template({
  name: 'waitlist-confirmation',
  values: z.object({ email: z.string().min(1) }),
  email: {
    en: write({
      subject: (brand) => `You are on the waitlist of ${brand}`,
      lead: (email, brand) => `${email} is on the waitlist of ${brand}.`,
      next: 'We’ll email you when your account is ready.',
      unexpected: 'If this wasn’t you, you can ignore this email. No account has been created.',
    }),
    de: write({
      subject: (brand) => `Sie stehen auf der Warteliste von ${brand}`,
      lead: (email, brand) => `${email} steht auf der Warteliste von ${brand}.`,
      next: 'Wir schreiben wieder, sobald Sie an der Reihe sind.',
      unexpected: 'Falls Sie das nicht waren: Es gibt noch kein Konto, Sie müssen nichts tun.',
    }),
    fr: write({
      subject: (brand) => `Vous êtes sur la liste d’attente de ${brand}`,
      lead: (email, brand) => `${email} est sur la liste d’attente de ${brand}.`,
      next: 'Nous vous écrirons dès que ce sera votre tour.',
      unexpected: 'Si ce n’était pas vous, ignorez ce message : aucun compte n’existe encore.',
    }),
    es: write({
      subject: (brand) => `Está en la lista de espera de ${brand}`,
      lead: (email, brand) => `${email} está en la lista de espera de ${brand}.`,
      next: 'Le escribiremos en cuanto llegue su turno.',
      unexpected: 'Si no fue usted, puede ignorarlo: todavía no existe ninguna cuenta.',
    }),
  },
});
