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
          'The operation that exchanges the code of a sign-in that begins at the identity provider: POST ' +
            '/user_management/authenticate (`user_management`) or POST /sso/token (`sso`).',
        ),
      email_domains: z
        .enum(['verified', 'any'])
        .default('verified')
        .describe(
          'With `any`, /sso/token also returns profiles with addresses outside of the organization’s verified domains. With ' +
            '`verified`, the policy of a single organization can still allow them.',
        ),
    })
    .meta({ id: 'SsoSettings' }),
};
