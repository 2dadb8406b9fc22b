import { template } from '../template.ts';
import { codeMail, CodeValues } from './code-mail.ts';

/** Contains the code that proves access to an address. */
export const emailVerificationMail = template({
  name: 'email-verification',
  cause: 'own_sign_in',
  values: CodeValues,
  email: codeMail('email_verification'),
});
