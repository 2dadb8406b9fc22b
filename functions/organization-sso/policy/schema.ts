import * as z from 'zod';

/** The policy of an organization in the API. Members that an update does not name are reset to the default. */
export const SsoPolicy = z
  .object({
    required: z
      .boolean()
      .default(true)
      .describe(
        'Whether the members of the organization, and users with an address at one of its verified domains, must sign in ' +
          'through its connection: other methods are rejected with `sso_required`.',
      ),
    email_domains: z
      .enum(['verified', 'any'])
      .default('verified')
      .describe(
        'With `any`, /sso/token also returns profiles with addresses of other domains. Such an address is only linked to ' +
          'a user after a mailed code.',
      ),
  })
  .meta({ id: 'OrganizationSsoPolicy' });

/** The parsed policy of an organization's single sign-on. */
export type Policy = z.output<typeof SsoPolicy>;

/** Parses a stored policy; a policy that was never set has the defaults. */
export const presentPolicy = (stored: unknown): Policy => SsoPolicy.parse(stored ?? {});
