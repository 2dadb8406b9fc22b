import { template } from '../template.ts';
import { codeMail, CodeValues, LIFETIME } from './code-mail.ts';

/** Contains the code with which a signed-in user proves on the account page who they are. */
export const accountCodeMail = template({
  name: 'account-code',
  values: CodeValues,
  email: codeMail({
    en: {
      subject: (brand) => `Confirm a change to your ${brand} account`,
      heading: 'Confirm it’s you',
      ask: (brand) => `Enter this code on your account page at ${brand} to change your account.`,
      note: LIFETIME.en,
      unexpected: 'If you did not ask for this, someone is signed in to your account: change your password now.',
    },
    de: {
      subject: (brand) => `Änderung an Ihrem Konto bei ${brand} bestätigen`,
      heading: 'Bestätigen Sie, dass Sie es sind',
      ask: (brand) => `Geben Sie diesen Code auf Ihrer Kontoseite bei ${brand} ein, um Ihr Konto zu ändern.`,
      note: LIFETIME.de,
      unexpected:
        'Wenn Sie das nicht angefordert haben, ist jemand anderes bei Ihrem Konto angemeldet: Ändern Sie jetzt Ihr Passwort.',
    },
    fr: {
      subject: (brand) => `Confirmez une modification de votre compte ${brand}`,
      heading: 'Confirmez que c’est bien vous',
      ask: (brand) => `Saisissez ce code sur la page de votre compte ${brand} pour modifier votre compte.`,
      note: LIFETIME.fr,
      unexpected:
        'Si vous n’êtes pas à l’origine de cette demande, quelqu’un est connecté à votre compte : changez votre mot de passe sans attendre.',
    },
    es: {
      subject: (brand) => `Confirme un cambio en su cuenta de ${brand}`,
      heading: 'Confirme que es usted',
      ask: (brand) => `Introduzca este código en la página de su cuenta de ${brand} para cambiar su cuenta.`,
      note: LIFETIME.es,
      unexpected: 'Si no lo ha pedido, alguien ha iniciado sesión en su cuenta: cambie su contraseña ahora.',
    },
  }),
});
