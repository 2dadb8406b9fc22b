import * as z from 'zod';

/** The policy of an organization in the API. Members that an update does not name are reset to the default. */
export const SsoPolicy = z
  .object({
    required: z
      .boolean()
      .default(true)
      .describe(
        'Whether users with an address at a verified domain of the organization, and its members, are to sign in ' +
          'through its connection: other methods are rejected with `sso_required`.',
      ),
    email_domains: z
      .enum(['verified', 'any'])
      .default('verified')
      .describe(
        '`any` returns profiles of other addresses from /sso/token too. It never links such an address to a user ' +
          'without a mailed code.',
      ),
  })
  .meta({ id: 'OrganizationSsoPolicy' });

/** The parsed policy. */
export type Policy = z.output<typeof SsoPolicy>;

/** Parses a stored policy; a policy that was never set has the defaults. */
export const presentPolicy = (stored: unknown): Policy => SsoPolicy.parse(stored ?? {});
