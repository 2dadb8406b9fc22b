import { template } from '../template.ts';
import { codeMail, CodeValues, LIFETIME } from './code-mail.ts';

/** Contains the code for signing in without a password. */
export const magicAuthMail = template({
  name: 'magic-auth',
  values: CodeValues,
  email: codeMail({
    en: {
      subject: (brand) => `Your sign-in code for ${brand}`,
      heading: 'Your sign-in code',
      ask: (brand) => `Enter this code at ${brand} to sign in.`,
      note: LIFETIME.en,
      unexpected: 'If you did not try to sign in, you can ignore this: no one can sign in without the code.',
    },
    de: {
      subject: (brand) => `Ihr Anmeldecode für ${brand}`,
      heading: 'Ihr Anmeldecode',
      ask: (brand) => `Geben Sie diesen Code bei ${brand} ein, um sich anzumelden.`,
      note: LIFETIME.de,
      unexpected: 'Wenn Sie sich nicht anmelden wollten, müssen Sie nichts tun: Ohne den Code kommt niemand hinein.',
    },
    fr: {
      subject: (brand) => `Votre code de connexion pour ${brand}`,
      heading: 'Votre code de connexion',
      ask: (brand) => `Saisissez ce code sur ${brand} pour vous connecter.`,
      note: LIFETIME.fr,
      unexpected: 'Si vous n’avez pas tenté de vous connecter, ignorez ce message : sans le code, personne n’entre.',
    },
    es: {
      subject: (brand) => `Su código de acceso a ${brand}`,
      heading: 'Su código de acceso',
      ask: (brand) => `Introduzca este código en ${brand} para iniciar sesión.`,
      note: LIFETIME.es,
      unexpected: 'Si no ha intentado iniciar sesión, ignore este mensaje: sin el código nadie puede entrar.',
    },
  }),
});
