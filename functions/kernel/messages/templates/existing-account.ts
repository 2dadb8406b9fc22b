import * as z from 'zod';

import { template } from '../template.ts';
import { homeAction } from './account-notice.ts';

/**
 * Notifies the owner of an account that another person tried to sign up with its address. The sign-up page does not reveal
 * the account.
 */
export const existingAccountMail = template({
  name: 'existing-account',
  cause: 'own_sign_in',
  values: z.object({}),
  email: (_values, setting) => {
    const { translate } = setting;
    const subject = translate('existing_account.subject');
    const happened = translate('existing_account.happened');
    return {
      subject,
      preheader: happened,
      heading: subject,
      blocks: [
        { kind: 'paragraph', text: happened },
        { kind: 'paragraph', text: translate('existing_account.next') },
        ...homeAction(setting),
        { kind: 'note', text: translate('existing_account.otherwise') },
      ],
    };
  },
});
