import * as z from 'zod';

import { passwordMembers } from '../../../proofs/modules/credentials/public.ts';
import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { externalId, metadata } from '../../../kernel/values.ts';
import { User } from '../../../tenancy/modules/users/public.ts';

export const UserList = listSchema(User).meta({ id: 'UserlandUserList' });

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
    .meta({ deprecated: true, description: 'A former name of `organization_id`.' }),
  email: z.string().min(1).max(320).optional().describe('The user with this email address; case does not matter.'),
});

/** RFC 5321 section 4.5.3.1.3 limits a path to 256 octets; the handler validates the address. */
const email = z.string().min(1).max(320).meta({ format: 'email' });
const personName = z.string().max(255);
const FULL_NAME = 'The full name. It is independent of `first_name` and `last_name`.';
const fullName = personName.describe(FULL_NAME);

const members = {
  metadata: metadata
    .nullable()
    .optional()
    .describe('The metadata, which is replaced as a whole. Names have at most 40 characters, values 600.'),
  external_id: externalId.nullable().optional().describe('Your own id of the user: ASCII; unique in the environment.'),
};

export const CreateUser = z
  .object({
    email,
    // The contract accepts null for these in a creation, but not in an update.
    first_name: personName.nullable().optional(),
    last_name: personName.nullable().optional(),
    name: fullName.nullable().optional().describe(FULL_NAME),
    ...members,
    ...passwordMembers,
    password: passwordMembers.password.nullable(),
    email_verified: z
      .boolean()
      .nullable()
      .optional()
      .describe(
        'True if you have verified that the email address belongs to the person. Otherwise (the default) each sign-in by password sends a code by mail and responds with 403 `email_verification_required`, until a code is confirmed (unless `require_email_verification` in PUT /x/authentication/settings is false).',
      ),
    ip_address: z.string().max(64).nullable().optional().describe('The IP address of the person, for Radar.'),
    user_agent: z.string().max(1_024).nullable().optional().describe('The person’s user agent, for Radar.'),
    signals_id: z
      .string()
      .max(255)
      .optional()
      .describe('The id that the script of Radar in your page returned. An unknown or used one has no effect.'),
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
    name: fullName.optional(),
    ...members,
    ...passwordMembers,
    email_verified: z
      .boolean()
      .optional()
      .describe(
        'True marks the address as verified without a mail: use it for a user who cannot confirm the code. False for a verified address is rejected.',
      ),
    locale: z.string().max(255).nullable().optional(),
  })
  .meta({ id: 'UpdateUserlandUserDto' });
