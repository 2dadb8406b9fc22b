import { template } from '../template.ts';
import { codeMail, CodeValues } from './code-mail.ts';

/** Contains the code for signing in without a password. */
export const magicAuthMail = template({
  name: 'magic-auth',
  cause: 'own_sign_in',
  values: CodeValues,
  email: codeMail('magic_auth'),
});
