import * as z from 'zod';

import type { MailContent } from '../content.ts';
import type { Localized } from '../../locale.ts';
import { template } from '../template.ts';

interface Words {
  subject: (brand: string) => string;
  happened: (brand: string) => string;
  next: string;
  otherwise: string;
}

const WORDS = {
  en: {
    subject: (brand) => `You already have an account at ${brand}`,
    happened: (brand) =>
      `Someone, probably you, tried to create an account at ${brand} with this address. You already have one.`,
    next: 'Go back and sign in. Forgot your password? Reset it there.',
    otherwise:
      'If this wasn’t you, you don’t need to do anything: nothing was changed, and we did not reveal that you have an account.',
  },
  de: {
    subject: (brand) => `Sie haben schon ein Konto bei ${brand}`,
    happened: (brand) =>
      `Jemand, vermutlich Sie, wollte bei ${brand} ein Konto mit dieser Adresse anlegen. Sie haben bereits eines.`,
    next: 'Gehen Sie zurück und melden Sie sich damit an. Wenn Sie das Passwort nicht mehr wissen, fordern Sie dort ein neues an.',
    otherwise:
      'Wenn Sie das nicht waren, ist nichts zu tun: Nichts wurde geändert, und niemand hat von Ihrem Konto erfahren.',
  },
  fr: {
    subject: (brand) => `Vous avez déjà un compte ${brand}`,
    happened: (brand) =>
      `Quelqu’un, sans doute vous, a voulu créer un compte ${brand} avec cette adresse. Vous en avez déjà un.`,
    next: 'Revenez en arrière et connectez-vous. Si vous ne connaissez plus le mot de passe, demandez-en un nouveau.',
    otherwise:
      'Si ce n’était pas vous, il n’y a rien à faire : rien n’a changé, et personne n’a appris que vous avez un compte.',
  },
  es: {
    subject: (brand) => `Ya tiene una cuenta en ${brand}`,
    happened: (brand) =>
      `Alguien, probablemente usted, quiso crear una cuenta en ${brand} con esta dirección. Ya tiene una.`,
    next: 'Vuelva atrás e inicie sesión con ella. Si ya no recuerda la contraseña, pida allí una nueva.',
    otherwise: 'Si no ha sido usted, no hay nada que hacer: nada ha cambiado y nadie ha sabido que tiene una cuenta.',
  },
} as const satisfies Localized<Words>;

const composeMail =
  (words: Words) =>
  (_values: unknown, { brand }: { brand: { name: string } }): MailContent => ({
    subject: words.subject(brand.name),
    preheader: words.happened(brand.name),
    heading: words.subject(brand.name),
    blocks: [
      { kind: 'paragraph', text: words.happened(brand.name) },
      { kind: 'paragraph', text: words.next },
      { kind: 'note', text: words.otherwise },
    ],
  });

/**
 * Notifies the owner of an account that another person tried to sign up with its address. The sign-up page does not reveal
 * the account.
 */
export const existingAccountMail = template({
  name: 'existing-account',
  values: z.object({}),
  email: { en: composeMail(WORDS.en), de: composeMail(WORDS.de), fr: composeMail(WORDS.fr), es: composeMail(WORDS.es) },
});
