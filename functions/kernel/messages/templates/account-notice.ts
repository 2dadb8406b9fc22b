import * as z from 'zod';

import type { MailContent } from '../content.ts';
import { type Localized, formatDateTime } from '../../locale.ts';
import { template } from '../template.ts';

/** The words of a notice in one language. */
export interface NoticeWords<Values> {
  subject: (brand: string) => string;
  happened: (brand: string, when: string, values: Values) => string;
  /** The advice to a reader who did not make the change. */
  otherwise: string;
}

/** Composes a notice of its words. */
export const composeNoticeMail =
  <Values extends { at: string }>(words: NoticeWords<Values>) =>
  (values: Values, { brand, locale }: { brand: { name: string }; locale: string }): MailContent => {
    const happened = words.happened(brand.name, formatDateTime(locale, values.at), values);
    const subject = words.subject(brand.name);
    return {
      subject,
      preheader: happened,
      heading: subject,
      blocks: [
        { kind: 'paragraph', text: happened },
        { kind: 'note', text: words.otherwise },
      ],
    };
  };

/** The values of a notice about a change. */
export const Change = z.object({
  /** The time of the change (ISO 8601). */
  at: z.iso.datetime(),
});

const PASSWORD = {
  en: {
    subject: (brand) => `Your password for ${brand} was changed`,
    happened: (brand, when) =>
      `The password of your account at ${brand} was changed on ${when}. Other devices are signed out.`,
    otherwise: 'If this wasn’t you, reset your password now and contact support.',
  },
  de: {
    subject: (brand) => `Ihr Passwort für ${brand} wurde geändert`,
    happened: (brand, when) =>
      `Das Passwort Ihres Kontos bei ${brand} wurde geändert: ${when}. Andere Geräte sind abgemeldet.`,
    otherwise: 'Wenn Sie das nicht waren, setzen Sie Ihr Passwort jetzt zurück und melden Sie es dem Betreiber.',
  },
  fr: {
    subject: (brand) => `Votre mot de passe pour ${brand} a été modifié`,
    happened: (brand, when) =>
      `Le mot de passe de votre compte ${brand} a été modifié : ${when}. Les autres appareils sont déconnectés.`,
    otherwise: 'Si ce n’était pas vous, réinitialisez votre mot de passe sans attendre et prévenez le service.',
  },
  es: {
    subject: (brand) => `Se ha cambiado su contraseña de ${brand}`,
    happened: (brand, when) =>
      `La contraseña de su cuenta en ${brand} se cambió: ${when}. Se ha cerrado la sesión en otros dispositivos.`,
    otherwise: 'Si no ha sido usted, restablezca su contraseña ahora y avise a los responsables del servicio.',
  },
} as const satisfies Localized<NoticeWords<z.output<typeof Change>>>;

/** Notifies the owner of an account that its password was changed. */
export const passwordChangedMail = template({
  name: 'password-changed',
  values: Change,
  email: {
    en: composeNoticeMail(PASSWORD.en),
    de: composeNoticeMail(PASSWORD.de),
    fr: composeNoticeMail(PASSWORD.fr),
    es: composeNoticeMail(PASSWORD.es),
  },
});

const EmailChange = Change.extend({ newEmail: z.string().min(3) });

const EMAIL = {
  en: {
    subject: (brand) => `Your email address for ${brand} was changed`,
    happened: (brand, when, { newEmail }) =>
      `Your account at ${brand} has used the address ${newEmail} since ${when}. You can no longer sign in with this one.`,
    otherwise: 'If this wasn’t you, contact support immediately.',
  },
  de: {
    subject: (brand) => `Ihre E-Mail-Adresse für ${brand} wurde geändert`,
    happened: (brand, when, { newEmail }) =>
      `Ihr Konto bei ${brand} hat jetzt die Adresse ${newEmail} (${when}). Mit der bisherigen kommt man nicht mehr hinein.`,
    otherwise: 'Wenn Sie das nicht waren, melden Sie es sofort dem Betreiber.',
  },
  fr: {
    subject: (brand) => `Votre adresse e-mail pour ${brand} a été modifiée`,
    happened: (brand, when, { newEmail }) =>
      `Votre compte ${brand} a désormais l’adresse ${newEmail} (${when}). L’ancienne n’y donne plus accès.`,
    otherwise: 'Si ce n’était pas vous, prévenez le service sans attendre.',
  },
  es: {
    subject: (brand) => `Se ha cambiado su dirección de correo de ${brand}`,
    happened: (brand, when, { newEmail }) =>
      `Su cuenta en ${brand} tiene ahora la dirección ${newEmail} (${when}). La anterior ya no da acceso.`,
    otherwise: 'Si no ha sido usted, avise de inmediato a los responsables del servicio.',
  },
} as const satisfies Localized<NoticeWords<z.output<typeof EmailChange>>>;

/** Informs the previous address that the account has a new one. */
export const emailChangedMail = template({
  name: 'email-changed',
  values: EmailChange,
  email: {
    en: composeNoticeMail(EMAIL.en),
    de: composeNoticeMail(EMAIL.de),
    fr: composeNoticeMail(EMAIL.fr),
    es: composeNoticeMail(EMAIL.es),
  },
});

const CODES = {
  en: {
    subject: (brand) => `Wrong codes at a sign-in to ${brand}`,
    happened: (brand, when) =>
      `Someone passed the first step of a sign-in to your account at ${brand}, such as the password, and entered several wrong codes at the second step, most recently on ${when}. None of these codes was accepted.`,
    otherwise: 'If this wasn’t you, change your password now and contact support.',
  },
  de: {
    subject: (brand) => `Falsche Codes bei einer Anmeldung bei ${brand}`,
    happened: (brand, when) =>
      `Jemand hat den ersten Schritt einer Anmeldung bei Ihrem Konto bei ${brand} bestanden, zum Beispiel das Passwort, und im zweiten Schritt mehrere falsche Codes eingegeben, zuletzt: ${when}. Keiner dieser Codes wurde angenommen.`,
    otherwise: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort jetzt und melden Sie es dem Betreiber.',
  },
  fr: {
    subject: (brand) => `Codes erronés lors d’une connexion à ${brand}`,
    happened: (brand, when) =>
      `Quelqu’un a passé la première étape d’une connexion à votre compte ${brand}, par exemple le mot de passe, et a saisi plusieurs codes erronés à la seconde étape, le dernier : ${when}. Aucun de ces codes n’a été accepté.`,
    otherwise: 'Si ce n’était pas vous, changez votre mot de passe sans attendre et prévenez le service.',
  },
  es: {
    subject: (brand) => `Códigos incorrectos al iniciar sesión en ${brand}`,
    happened: (brand, when) =>
      `Alguien superó el primer paso de un inicio de sesión en su cuenta de ${brand}, por ejemplo la contraseña, e introdujo varios códigos incorrectos en el segundo, el último: ${when}. Ninguno de esos códigos fue aceptado.`,
    otherwise: 'Si no ha sido usted, cambie su contraseña ahora y avise a los responsables del servicio.',
  },
} as const satisfies Localized<NoticeWords<z.output<typeof Change>>>;

/** Informs the owner of an account that a sign-in passed the first factor and entered wrong codes for the second. */
export const wrongFactorCodesMail = template({
  name: 'wrong-factor-codes',
  values: Change,
  email: {
    en: composeNoticeMail(CODES.en),
    de: composeNoticeMail(CODES.de),
    fr: composeNoticeMail(CODES.fr),
    es: composeNoticeMail(CODES.es),
  },
});
