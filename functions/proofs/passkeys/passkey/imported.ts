import type * as z from 'zod';

import type { ImportPasskey } from './schema.ts';
import type { NewPasskey } from './stage.ts';

/** The passkey of another service as it is stored. @param rpId the domain on which it was created */
export const readImported = (
  given: Omit<z.output<typeof ImportPasskey>, 'user_id' | 'rp_id'>,
  rpId: string,
): NewPasskey => ({
  credentialId: given.credential_id,
  publicKey: given.public_key,
  userHandle: given.user_handle,
  rpId,
  name: given.name,
  counter: given.sign_count,
  transports: given.transports,
  canBeBackedUp: given.backup_eligible,
  isBackedUp: given.backed_up,
  verifiesUser: given.verifies_user,
  createdAt: given.created_at,
  lastUsedAt: given.last_used_at,
});
