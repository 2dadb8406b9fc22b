import { template } from '../template.ts';
import { codeMail, CodeValues } from './code-mail.ts';

/** Contains the code with which a signed-in user proves on the account page who they are. */
export const accountCodeMail = template({
  name: 'account-code',
  cause: 'own_sign_in',
  values: CodeValues,
  email: codeMail('account_code'),
});
