import * as z from 'zod';

/** The policy of an organization in the API. Members that an update does not name are reset to the default. */
export const SsoPolicy = z
  .object({
    required: z
      .boolean()
      .default(true)
      .describe(
        'Whether the members of the organization, and users with an address at one of its verified domains, must sign in ' +
          'through its connection: other methods are rejected with `sso_required`. It is true also if the policy was never ' +
          'set, and has an effect only while the organization has a connection that is active, or whose certificates have expired.',
      ),
    email_domains: z
      .enum(['verified', 'any'])
      .default('verified')
      .describe(
        'The addresses for which /sso/token returns profiles. `verified`: those at verified domains of the organization; a ' +
          'sign-in with another address ends with `profile_not_allowed_outside_organization`. `any`: those with any ' +
          'address, so your application must not identify users by it. `any` in the settings of the environment applies to all organizations.',
      ),
  })
  .meta({ id: 'OrganizationSsoPolicy' });

/** The parsed policy of an organization's single sign-on. */
export type Policy = z.output<typeof SsoPolicy>;

/** Parses a stored policy; a policy that was never set has the defaults. */
export const presentPolicy = (stored: unknown): Policy => SsoPolicy.parse(stored ?? {});
