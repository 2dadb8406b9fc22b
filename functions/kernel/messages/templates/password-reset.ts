import * as z from 'zod';

import type { MailContent } from '../content.ts';
import type { Localized } from '../../locale.ts';
import { template } from '../template.ts';

interface Words {
  subject: (brand: string) => string;
  heading: string;
  ask: (brand: string) => string;
  button: string;
  note: (minutes: number) => string;
  unexpected: string;
}

const WORDS = {
  en: {
    subject: (brand) => `Choose a new password for ${brand}`,
    heading: 'Choose a new password',
    ask: (brand) => `Someone asked to reset the password of your account at ${brand}.`,
    button: 'Choose a new password',
    note: (minutes) =>
      `The link works once and expires in ${minutes} minutes. Anyone who has it can use it, so do not forward it.`,
    unexpected: 'If this wasn’t you, you can ignore this email. Your password has not changed.',
  },
  de: {
    subject: (brand) => `Neues Passwort für ${brand} wählen`,
    heading: 'Neues Passwort wählen',
    ask: (brand) => `Für Ihr Konto bei ${brand} wurde ein neues Passwort angefordert.`,
    button: 'Neues Passwort wählen',
    note: (minutes) =>
      `Der Link gilt einmal und ${minutes} Minuten lang. Wer ihn hat, kann ihn nutzen: Leiten Sie ihn nicht weiter.`,
    unexpected: 'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
  },
  fr: {
    subject: (brand) => `Choisissez un nouveau mot de passe pour ${brand}`,
    heading: 'Choisissez un nouveau mot de passe',
    ask: (brand) => `La réinitialisation du mot de passe de votre compte ${brand} a été demandée.`,
    button: 'Choisir un nouveau mot de passe',
    note: (minutes) => `Le lien est valable une seule fois, pendant ${minutes} minutes. Ne le transférez à personne.`,
    unexpected:
      'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : votre mot de passe ne change pas.',
  },
  es: {
    subject: (brand) => `Elija una nueva contraseña para ${brand}`,
    heading: 'Elija una nueva contraseña',
    ask: (brand) => `Alguien ha pedido restablecer la contraseña de su cuenta en ${brand}.`,
    button: 'Elegir una nueva contraseña',
    note: (minutes) => `El enlace sirve una sola vez, durante ${minutes} minutos. No lo reenvíe a nadie.`,
    unexpected: 'Si no ha sido usted, ignore este mensaje: su contraseña no cambia.',
  },
} as const satisfies Localized<Words>;

const Values = z.object({
  /** The link, which contains a token. */
  url: z.url(),
  minutes: z.number().int().min(1),
});

const composeMail =
  (words: Words) =>
  ({ url, minutes }: z.output<typeof Values>, { brand }: { brand: { name: string } }): MailContent => ({
    subject: words.subject(brand.name),
    preheader: words.ask(brand.name),
    heading: words.heading,
    blocks: [
      { kind: 'paragraph', text: words.ask(brand.name) },
      { kind: 'action', label: words.button, url },
      { kind: 'note', text: words.note(minutes) },
      { kind: 'note', text: words.unexpected },
    ],
  });

/** Contains the link to choose a new password. */
export const passwordResetMail = template({
  name: 'password-reset',
  values: Values,
  email: { en: composeMail(WORDS.en), de: composeMail(WORDS.de), fr: composeMail(WORDS.fr), es: composeMail(WORDS.es) },
});
