import { template } from '../template.ts';
import { codeMail, CodeValues, LIFETIME } from './code-mail.ts';

/** Contains the code that a sign-in from a new device requires. */
export const radarChallengeMail = template({
  name: 'radar-challenge',
  values: CodeValues,
  email: codeMail({
    en: {
      subject: (brand) => `Is this you signing in to ${brand}?`,
      heading: 'Verify it’s you',
      ask: (brand) =>
        `Someone is signing in to your account at ${brand} from a new device. If this is you, enter this code there.`,
      note: LIFETIME.en,
      unexpected: 'If this isn’t you, don’t share the code, and change your password: someone else may know it.',
    },
    de: {
      subject: (brand) => `Melden Sie sich gerade bei ${brand} an?`,
      heading: 'Bestätigen Sie, dass Sie es sind',
      ask: (brand) =>
        `Jemand meldet sich mit einem noch unbekannten Gerät bei ${brand} mit Ihrem Konto an. Sind Sie das? Dann geben Sie dort diesen Code ein.`,
      note: LIFETIME.de,
      unexpected:
        'Wenn nicht, nennen Sie niemandem den Code und ändern Sie Ihr Passwort: Jemand anders kennt es womöglich.',
    },
    fr: {
      subject: (brand) => `Est-ce vous qui vous connectez à ${brand} ?`,
      heading: 'Confirmez que c’est bien vous',
      ask: (brand) =>
        `Une personne se connecte à votre compte ${brand} depuis un appareil encore inconnu. Si c’est vous, saisissez-y ce code.`,
      note: LIFETIME.fr,
      unexpected:
        'Si ce n’est pas vous, ne donnez ce code à personne et changez votre mot de passe : quelqu’un le connaît peut-être.',
    },
    es: {
      subject: (brand) => `¿Es usted quien accede a ${brand}?`,
      heading: 'Confirme que es usted',
      ask: (brand) =>
        `Alguien accede a su cuenta de ${brand} desde un dispositivo que aún no se conocía. Si es usted, introduzca allí este código.`,
      note: LIFETIME.es,
      unexpected: 'Si no es usted, no dé el código a nadie y cambie su contraseña: es posible que alguien la conozca.',
    },
  }),
});
