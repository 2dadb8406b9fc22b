import { template } from '../template.ts';
import { codeMail, CodeValues } from './code-mail.ts';

/** Contains the code that a sign-in from a new device requires. */
export const radarChallengeMail = template({
  name: 'radar-challenge',
  cause: 'own_sign_in',
  values: CodeValues,
  email: codeMail('radar_challenge'),
});
