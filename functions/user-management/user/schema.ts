import * as z from 'zod';

import { passwordMembers } from '../../credentials/public.ts';
import { listOf, pageMembers } from '../../kernel/pagination.ts';
import { externalId, metadata } from '../../kernel/values.ts';
import { User } from '../../users/public.ts';

export const UserList = listOf(User).meta({ id: 'UserlandUserList' });

export const ListUsers = z.object({
  ...pageMembers('user'),
  organization_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Users who have a membership of this organization, in any status.'),
  organization: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ deprecated: true, description: 'The older name of `organization_id`.' }),
  email: z.string().min(1).max(320).optional().describe('The user with this address, in any case.'),
});

/** RFC 5321 section 4.5.3.1.3 bounds a path at 256 octets; whether it is an address the handler tells. */
const email = z.string().min(1).max(320).meta({ format: 'email' });
const personName = z.string().max(255);

const members = {
  metadata: metadata.nullable().optional().describe('Replaced as a whole: names to 40 characters, values to 600.'),
  external_id: externalId.nullable().optional().describe('Your own id of the user: ASCII, of one user at a time.'),
};

export const CreateUser = z
  .object({
    email,
    // The contract lets a creation say null for these, an update not.
    first_name: personName.nullable().optional(),
    last_name: personName.nullable().optional(),
    name: personName.nullable().optional(),
    ...members,
    ...passwordMembers,
    password: passwordMembers.password.nullable(),
    email_verified: z
      .boolean()
      .nullable()
      .optional()
      .describe('Your own word that the address is the user’s. Without it the first sign-in proves the address.'),
    /** What a back end knows of the person's client; taken for later judgements of risk, not needed now. */
    ip_address: z.string().max(64).nullable().optional(),
    user_agent: z.string().max(1_024).nullable().optional(),
    signals_id: z.string().max(255).optional(),
  })
  .meta({ id: 'CreateUserlandUserDto' });

export const CreatedUser = User.extend({ radar_auth_attempt_id: z.string().optional() }).meta({
  id: 'UserCreateResponse',
});

export const UpdateUser = z
  .object({
    email: email.optional(),
    first_name: personName.optional(),
    last_name: personName.optional(),
    name: personName.optional(),
    ...members,
    ...passwordMembers,
    email_verified: z.boolean().optional(),
    locale: z.string().max(255).nullable().optional(),
  })
  .meta({ id: 'UpdateUserlandUserDto' });
