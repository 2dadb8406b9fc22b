import * as z from 'zod';

import { Name } from '../name.ts';
import { template } from '../template.ts';
import { Change, composeNotice } from './account-notice.ts';

/** Notifies the owner of an account that a passkey was added. */
export const passkeyAddedMail = template({
  name: 'passkey-added',
  cause: 'own_account',
  values: Change.extend({
    /** The name of the passkey. */
    name: Name,
  }),
  email: (values, setting) => composeNotice('passkey_added', values, setting, { name: values.name }),
});

/** Notifies the owner of an account that a recovery code was used at a sign-in. */
export const recoveryCodeUsedMail = template({
  name: 'recovery-code-used',
  cause: 'own_account',
  values: Change.extend({
    /** The number of recovery codes that can still be used. */
    left: z.number().int().min(0),
  }),
  email: (values, setting) => composeNotice('recovery_code_used', values, setting, { left: values.left }),
});

/** Notifies the owner of an account that its recovery codes were created or renewed. */
export const recoveryCodesMail = template({
  name: 'recovery-codes-created',
  cause: 'own_account',
  values: Change,
  email: (values, setting) => composeNotice('recovery_codes', values, setting),
});
