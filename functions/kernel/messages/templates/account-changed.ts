import * as z from 'zod';

import type { MailContent } from '../content.ts';
import { type BuiltIn, formatDateTime } from '../../locale.ts';
import { template } from '../template.ts';

/** The changes on the account page that a mail reports and that have no mail of their own. */
export const ACCOUNT_CHANGES = [
  'name_changed',
  'password_set',
  'authenticator_added',
  'authenticator_removed',
  'session_ended',
  'sessions_ended',
  'connected_account_removed',
  'organization_left',
  'data_downloaded',
  'account_deleted',
] as const;

/** A change on the account page. */
export type AccountChange = (typeof ACCOUNT_CHANGES)[number];

const Values = z.object({
  change: z.enum(ACCOUNT_CHANGES),
  /** The name of the connected account or organization; empty for other changes. */
  name: z.string().max(255),
  /** The time of the change (ISO 8601). */
  at: z.iso.datetime(),
});

interface Words {
  subject: (brand: string) => string;
  /** The sentence about each change, which the time follows. */
  changes: Readonly<Record<AccountChange, (name: string) => string>>;
  time: (when: string) => string;
  otherwise: string;
}

const WORDS: BuiltIn<Words> = {
  en: {
    subject: (brand) => `Your ${brand} account was changed`,
    changes: {
      name_changed: () => 'Your name was changed.',
      password_set: () => 'A password was set. You can sign in with it now.',
      authenticator_added: () => 'An authenticator app was added. You need its codes when you sign in.',
      authenticator_removed: () => 'An authenticator app or phone number was removed from your sign-in.',
      session_ended: () => 'One of your devices was signed out.',
      sessions_ended: () => 'All of your devices were signed out.',
      connected_account_removed: (name) => `Your ${name} account was disconnected. You can no longer sign in with it.`,
      organization_left: (name) => `You left the organization ${name}.`,
      data_downloaded: () => 'A copy of your data was downloaded.',
      account_deleted: () => 'Your account and its data were deleted.',
    },
    time: (when) => `This happened on ${when}, on your account page.`,
    otherwise: 'If this wasn’t you, change your password now and contact support.',
  },
  de: {
    subject: (brand) => `Ihr Konto bei ${brand} wurde geändert`,
    changes: {
      name_changed: () => 'Ihr Name wurde geändert.',
      password_set: () => 'Ein Passwort wurde festgelegt. Sie können sich jetzt damit anmelden.',
      authenticator_added: () => 'Eine Authenticator-App wurde hinzugefügt. Sie brauchen ihre Codes beim Anmelden.',
      authenticator_removed: () => 'Eine Authenticator-App oder Telefonnummer wurde von Ihrer Anmeldung entfernt.',
      session_ended: () => 'Eines Ihrer Geräte wurde abgemeldet.',
      sessions_ended: () => 'Alle Ihre Geräte wurden abgemeldet.',
      connected_account_removed: (name) =>
        `Ihr Konto bei ${name} wurde getrennt. Sie können sich damit nicht mehr anmelden.`,
      organization_left: (name) => `Sie haben die Organisation ${name} verlassen.`,
      data_downloaded: () => 'Eine Kopie Ihrer Daten wurde heruntergeladen.',
      account_deleted: () => 'Ihr Konto und seine Daten wurden gelöscht.',
    },
    time: (when) => `Das geschah auf Ihrer Kontoseite: ${when}.`,
    otherwise: 'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und melden Sie es dem Betreiber.',
  },
  fr: {
    subject: (brand) => `Votre compte ${brand} a été modifié`,
    changes: {
      name_changed: () => 'Votre nom a été modifié.',
      password_set: () => 'Un mot de passe a été défini. Vous pouvez désormais vous connecter avec.',
      authenticator_added: () =>
        'Une application d’authentification a été ajoutée. Ses codes vous seront demandés à la connexion.',
      authenticator_removed: () =>
        'Une application d’authentification ou un numéro de téléphone a été retiré de votre connexion.',
      session_ended: () => 'L’un de vos appareils a été déconnecté.',
      sessions_ended: () => 'Tous vos appareils ont été déconnectés.',
      connected_account_removed: (name) =>
        `Votre compte ${name} a été dissocié. Vous ne pouvez plus vous connecter avec.`,
      organization_left: (name) => `Vous avez quitté l’organisation ${name}.`,
      data_downloaded: () => 'Une copie de vos données a été téléchargée.',
      account_deleted: () => 'Votre compte et ses données ont été supprimés.',
    },
    time: (when) => `Cela s’est produit sur la page de votre compte : ${when}.`,
    otherwise: 'Si ce n’était pas vous, changez votre mot de passe sans attendre et prévenez le service.',
  },
  es: {
    subject: (brand) => `Se ha modificado su cuenta de ${brand}`,
    changes: {
      name_changed: () => 'Se cambió su nombre.',
      password_set: () => 'Se estableció una contraseña. Ya puede iniciar sesión con ella.',
      authenticator_added: () =>
        'Se añadió una aplicación de autenticación. Necesitará sus códigos para iniciar sesión.',
      authenticator_removed: () =>
        'Se quitó una aplicación de autenticación o un número de teléfono de su inicio de sesión.',
      session_ended: () => 'Se cerró la sesión en uno de sus dispositivos.',
      sessions_ended: () => 'Se cerró la sesión en todos sus dispositivos.',
      connected_account_removed: (name) => `Se desconectó su cuenta de ${name}. Ya no puede iniciar sesión con ella.`,
      organization_left: (name) => `Ha dejado la organización ${name}.`,
      data_downloaded: () => 'Se descargó una copia de sus datos.',
      account_deleted: () => 'Se eliminaron su cuenta y sus datos.',
    },
    time: (when) => `Ocurrió en la página de su cuenta: ${when}.`,
    otherwise: 'Si no ha sido usted, cambie su contraseña ahora y avise a los responsables del servicio.',
  },
};

const composeMail =
  ({ subject, changes, time, otherwise }: Words) =>
  (
    { change, name, at }: z.output<typeof Values>,
    { brand, locale }: { brand: { name: string }; locale: string },
  ): MailContent => {
    const happened = changes[change](name);
    return {
      subject: subject(brand.name),
      preheader: happened,
      heading: subject(brand.name),
      blocks: [
        { kind: 'paragraph', text: happened },
        { kind: 'paragraph', text: time(formatDateTime(locale, at)) },
        { kind: 'note', text: otherwise },
      ],
    };
  };

/** Informs the owner of an account about a change on the account page. */
export const accountChangedMail = template({
  name: 'account-changed',
  values: Values,
  email: {
    en: composeMail(WORDS.en),
    de: composeMail(WORDS.de),
    fr: composeMail(WORDS.fr),
    es: composeMail(WORDS.es),
  },
});
