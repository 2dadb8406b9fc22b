import { template } from '../template.ts';
import { codeMail, CodeValues } from './code-mail.ts';

/** Contains the code that proves access to the new address of an account. */
export const emailChangeMail = template({
  name: 'email-change',
  cause: 'own_sign_in',
  values: CodeValues,
  email: codeMail('email_change'),
});
