import { template } from '../template.ts';
import { codeMail, CodeValues, LIFETIME } from './code-mail.ts';

/** Contains the code that proves access to the new address of an account. */
export const emailChangeMail = template({
  name: 'email-change',
  values: CodeValues,
  email: codeMail({
    en: {
      subject: (brand) => `Confirm your new email address for ${brand}`,
      heading: 'Confirm your new email address',
      ask: (brand) => `Enter this code at ${brand} to use this address for your account from now on.`,
      note: LIFETIME.en,
      unexpected: 'If you did not ask for this, you can ignore it: nothing changes without the code.',
    },
    de: {
      subject: (brand) => `Bestätigen Sie Ihre neue E-Mail-Adresse für ${brand}`,
      heading: 'Neue E-Mail-Adresse bestätigen',
      ask: (brand) => `Geben Sie diesen Code bei ${brand} ein, um künftig diese Adresse für Ihr Konto zu verwenden.`,
      note: LIFETIME.de,
      unexpected: 'Wenn Sie das nicht angefordert haben, müssen Sie nichts tun: Ohne den Code ändert sich nichts.',
    },
    fr: {
      subject: (brand) => `Confirmez votre nouvelle adresse e-mail pour ${brand}`,
      heading: 'Confirmez votre nouvelle adresse e-mail',
      ask: (brand) => `Saisissez ce code sur ${brand} pour utiliser désormais cette adresse avec votre compte.`,
      note: LIFETIME.fr,
      unexpected: 'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : rien ne change sans le code.',
    },
    es: {
      subject: (brand) => `Confirme su nueva dirección de correo para ${brand}`,
      heading: 'Confirme su nueva dirección de correo',
      ask: (brand) => `Introduzca este código en ${brand} para usar esta dirección en su cuenta a partir de ahora.`,
      note: LIFETIME.es,
      unexpected: 'Si no lo ha pedido, ignore este mensaje: sin el código no cambia nada.',
    },
  }),
});
