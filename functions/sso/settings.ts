import * as z from 'zod';

/** The options of an environment for single sign-on. */
export const ssoSettings = {
  name: 'sso',
  schema: z
    .object({
      idp_initiated_code: z
        .enum(['user_management', 'sso'])
        .default('user_management')
        .describe(
          'The code that a sign-in which begins at the identity provider ends with: for which operation it is.',
        ),
      email_domains: z
        .enum(['verified', 'any'])
        .default('verified')
        .describe(
          '`any` returns profiles with addresses outside of the organization’s verified domains from /sso/token; ' +
            'organizations can allow them one by one.',
        ),
    })
    .meta({ id: 'SsoSettings' }),
};
