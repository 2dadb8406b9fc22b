import * as z from 'zod';

/** The sections of the account page in their order on it. Each has a page of its own and a setting. */
export const SECTIONS = [
  'name',
  'email',
  'password',
  'passkeys',
  'authenticator',
  'recovery_codes',
  'sessions',
  'connected_accounts',
  'organizations',
  'data',
  'deletion',
] as const;

/** The name of a section: the last segment of its path, and its setting. */
export type SectionName = (typeof SECTIONS)[number];

const section = (description: string) => z.boolean().default(true).describe(description);

/** The environment's settings for the account page. */
export const AccountSettings = z
  .object({
    enabled: z.boolean().default(true).describe('Whether users can open the account page.'),
    sections: z
      .object({
        name: section('Whether users can change their name.'),
        email: section(
          'Whether users can change their email address; `email_change` of `/x/user-management/settings` also has to allow it.',
        ),
        password: section('Whether users can set and change their password.'),
        passkeys: section('Whether users see their passkeys, and can add, rename and remove them.'),
        authenticator: section('Whether users can add and remove authenticator apps.'),
        recovery_codes: section('Whether users can create new recovery codes.'),
        sessions: section('Whether users see their sessions and can end them.'),
        connected_accounts: section('Whether users see their accounts at sign-in providers and can disconnect them.'),
        organizations: section('Whether users see their organizations and can leave them.'),
        data: section('Whether users can download their data.'),
        deletion: z
          .boolean()
          .default(false)
          .describe(
            'Whether users can delete their account; `user_deletion` of `/x/user-management/settings` also has to allow it.',
          ),
      })
      .prefault({})
      .describe('The sections of the page.'),
    proof_minutes: z
      .number()
      .int()
      .min(1)
      .max(60)
      .default(10)
      .describe('The maximum age in minutes of the proof of identity that a change requires.'),
  })
  .meta({ id: 'AccountSettings' });

export type AccountSettings = z.output<typeof AccountSettings>;

/** The section of an environment's settings. */
export const accountSettings = { name: 'account', schema: AccountSettings };
