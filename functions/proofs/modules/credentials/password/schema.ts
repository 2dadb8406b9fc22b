import * as z from 'zod';

import { PASSWORD_HASH_TYPES } from './hash/hash.ts';

/** The members of a body that set a user's password; a null password counts as none. */
export const passwordMembers = {
  password: z.string().optional().meta({ format: 'password' }),
  password_hash: z.string().optional().meta({
    format: 'password',
    description: 'The hash in the usual encoding of its type, such as `$2b$12$…` or `$argon2id$v=19$…`.',
  }),
  password_hash_type: z.enum(PASSWORD_HASH_TYPES).optional(),
  password_salt_position: z
    .enum(['prefix', 'suffix'])
    .optional()
    .describe('The position of the salt, only for `ssha256`. Default: `suffix`.'),
};
