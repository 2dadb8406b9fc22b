import * as z from 'zod';

import type { Localized } from '../../locale.ts';
import { template } from '../template.ts';
import { Change, composeNoticeMail, type NoticeWords } from './account-notice.ts';

const Added = Change.extend({
  /** The name of the passkey. */
  name: z.string().min(1),
});

const ADDED = {
  en: {
    subject: (brand) => `A passkey was added to your ${brand} account`,
    happened: (brand, when, { name }) =>
      `The passkey “${name}” was added to your account at ${brand} on ${when}. You can sign in with it from now on.`,
    otherwise: 'If this wasn’t you, change your password now and contact support.',
  },
  de: {
    subject: (brand) => `Ein Passkey wurde Ihrem Konto bei ${brand} hinzugefügt`,
    happened: (brand, when, { name }) =>
      `Der Passkey „${name}“ wurde Ihrem Konto bei ${brand} hinzugefügt: ${when}. Sie können sich ab jetzt damit anmelden.`,
    otherwise: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort jetzt und melden Sie es dem Betreiber.',
  },
  fr: {
    subject: (brand) => `Une clé d’accès a été ajoutée à votre compte ${brand}`,
    happened: (brand, when, { name }) =>
      `La clé d’accès « ${name} » a été ajoutée à votre compte ${brand} : ${when}. Vous pouvez désormais vous connecter avec elle.`,
    otherwise: 'Si ce n’était pas vous, changez votre mot de passe sans attendre et prévenez le service.',
  },
  es: {
    subject: (brand) => `Se ha añadido una clave de acceso a su cuenta de ${brand}`,
    happened: (brand, when, { name }) =>
      `La clave de acceso «${name}» se añadió a su cuenta en ${brand}: ${when}. Ya puede iniciar sesión con ella.`,
    otherwise: 'Si no ha sido usted, cambie su contraseña ahora y avise a los responsables del servicio.',
  },
} as const satisfies Localized<NoticeWords<z.output<typeof Added>>>;

/** Notifies the owner of an account that a passkey was added. */
export const passkeyAddedMail = template({
  name: 'passkey-added',
  values: Added,
  email: {
    en: composeNoticeMail(ADDED.en),
    de: composeNoticeMail(ADDED.de),
    fr: composeNoticeMail(ADDED.fr),
    es: composeNoticeMail(ADDED.es),
  },
});

const CodeUsed = Change.extend({
  /** The number of recovery codes that can still be used. */
  left: z.number().int().min(0),
});

const USED = {
  en: {
    subject: (brand) => `A recovery code for your ${brand} account was used`,
    happened: (brand, when, { left }) =>
      `A recovery code was used to sign in to your account at ${brand} on ${when}. Codes left: ${left}.`,
    otherwise: 'If this wasn’t you, change your password and renew your recovery codes now.',
  },
  de: {
    subject: (brand) => `Ein Wiederherstellungscode für ${brand} wurde benutzt`,
    happened: (brand, when, { left }) =>
      `Mit einem Wiederherstellungscode hat sich jemand bei Ihrem Konto bei ${brand} angemeldet: ${when}. Verbleibende Codes: ${left}.`,
    otherwise: 'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und erneuern Sie Ihre Wiederherstellungscodes.',
  },
  fr: {
    subject: (brand) => `Un code de récupération de votre compte ${brand} a été utilisé`,
    happened: (brand, when, { left }) =>
      `Un code de récupération a servi à se connecter à votre compte ${brand} : ${when}. Codes restants : ${left}.`,
    otherwise: 'Si ce n’était pas vous, changez votre mot de passe et renouvelez vos codes sans attendre.',
  },
  es: {
    subject: (brand) => `Se ha usado un código de recuperación de su cuenta de ${brand}`,
    happened: (brand, when, { left }) =>
      `Se usó un código de recuperación para entrar en su cuenta de ${brand}: ${when}. Códigos restantes: ${left}.`,
    otherwise: 'Si no ha sido usted, cambie ahora su contraseña y renueve sus códigos de recuperación.',
  },
} as const satisfies Localized<NoticeWords<z.output<typeof CodeUsed>>>;

/** Notifies the owner of an account that a recovery code was used at a sign-in. */
export const recoveryCodeUsedMail = template({
  name: 'recovery-code-used',
  values: CodeUsed,
  email: {
    en: composeNoticeMail(USED.en),
    de: composeNoticeMail(USED.de),
    fr: composeNoticeMail(USED.fr),
    es: composeNoticeMail(USED.es),
  },
});

const RENEWED = {
  en: {
    subject: (brand) => `New recovery codes for your ${brand} account`,
    happened: (brand, when) =>
      `New recovery codes were created for your account at ${brand} on ${when}. Earlier codes no longer work.`,
    otherwise: 'If this wasn’t you, change your password now and contact support.',
  },
  de: {
    subject: (brand) => `Neue Wiederherstellungscodes für ${brand}`,
    happened: (brand, when) =>
      `Für Ihr Konto bei ${brand} wurden neue Wiederherstellungscodes erstellt: ${when}. Frühere Codes gelten nicht mehr.`,
    otherwise: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort jetzt und melden Sie es dem Betreiber.',
  },
  fr: {
    subject: (brand) => `Nouveaux codes de récupération pour ${brand}`,
    happened: (brand, when) =>
      `De nouveaux codes de récupération ont été créés pour votre compte ${brand} : ${when}. Les codes précédents ne sont plus valables.`,
    otherwise: 'Si ce n’était pas vous, changez votre mot de passe sans attendre et prévenez le service.',
  },
  es: {
    subject: (brand) => `Nuevos códigos de recuperación de ${brand}`,
    happened: (brand, when) =>
      `Se crearon nuevos códigos de recuperación para su cuenta en ${brand}: ${when}. Los anteriores ya no valen.`,
    otherwise: 'Si no ha sido usted, cambie su contraseña ahora y avise a los responsables del servicio.',
  },
} as const satisfies Localized<NoticeWords<z.output<typeof Change>>>;

/** Notifies the owner of an account that its recovery codes were created or renewed. */
export const recoveryCodesMail = template({
  name: 'recovery-codes-created',
  values: Change,
  email: {
    en: composeNoticeMail(RENEWED.en),
    de: composeNoticeMail(RENEWED.de),
    fr: composeNoticeMail(RENEWED.fr),
    es: composeNoticeMail(RENEWED.es),
  },
});
