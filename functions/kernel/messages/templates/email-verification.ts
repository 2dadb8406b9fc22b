import { template } from '../template.ts';
import { codeMail, CodeValues, LIFETIME } from './code-mail.ts';

/** Contains the code that proves access to an address. */
export const emailVerificationMail = template({
  name: 'email-verification',
  values: CodeValues,
  email: codeMail({
    en: {
      subject: (brand) => `Confirm your email address for ${brand}`,
      heading: 'Confirm your email address',
      ask: (brand) => `Enter this code at ${brand} to confirm that this address is yours.`,
      note: LIFETIME.en,
      unexpected: 'If you did not request this, someone may have mistyped an address. You can ignore this email.',
    },
    de: {
      subject: (brand) => `Bestätigen Sie Ihre E-Mail-Adresse für ${brand}`,
      heading: 'E-Mail-Adresse bestätigen',
      ask: (brand) => `Geben Sie diesen Code bei ${brand} ein, um zu bestätigen, dass diese Adresse Ihnen gehört.`,
      note: LIFETIME.de,
      unexpected: 'Wenn Sie das nicht angefordert haben, hat sich wohl jemand vertippt. Sie müssen nichts tun.',
    },
    fr: {
      subject: (brand) => `Confirmez votre adresse e-mail pour ${brand}`,
      heading: 'Confirmez votre adresse e-mail',
      ask: (brand) => `Saisissez ce code sur ${brand} pour confirmer que cette adresse est la vôtre.`,
      note: LIFETIME.fr,
      unexpected: 'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message.',
    },
    es: {
      subject: (brand) => `Confirme su dirección de correo para ${brand}`,
      heading: 'Confirme su dirección de correo',
      ask: (brand) => `Introduzca este código en ${brand} para confirmar que esta dirección es suya.`,
      note: LIFETIME.es,
      unexpected: 'Si no lo ha pedido, puede ignorar este mensaje.',
    },
  }),
});
