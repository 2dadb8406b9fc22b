import { template } from '../template.ts';
import { codeMail, CodeValues } from './code-mail.ts';

/** Contains the code that proves access to the new address of an account. */
export const emailChangeMail = template({ name: 'email-change', values: CodeValues, email: codeMail('email_change') });
