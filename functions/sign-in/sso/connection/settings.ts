import * as z from 'zod';

import { GroupRole } from '../../../tenancy/modules/group-roles/public.ts';

/** The settings of a connection that the contract does not have, each with a default. */
export const ConnectionSettings = z
  .object({
    idp_initiated: z
      .enum(['redirect', 'allow', 'deny'])
      .default('redirect')
      .describe(
        'The treatment of a response that no sign-in requested. `redirect` ignores its claims, and redirects the browser to the identity provider with a request. `allow` (SAML only) accepts it once, and at most five minutes after it was issued: a page shows the email address of the response, and the person must confirm that it is theirs. `deny` rejects it.',
      ),
    second_factor: z
      .enum(['trust', 'ask'])
      .default('trust')
      .describe(
        'With `trust`, a sign-in through this connection requires no second factor of this service, even if the environment has `mfa: required`. With `ask` it requires one, unless the response of the identity provider has one of `second_factor_values`. Sign-ins by other methods are not affected.',
      ),
    second_factor_values: z
      .array(z.string().min(1).max(255))
      .max(20)
      .default([])
      .describe('Values of `acr`, `amr` or AuthnContextClassRef that count as a second factor.'),
    group_roles: z.array(GroupRole).max(100).default([]).describe('The roles of groups, the most important first.'),
    return_oauth_tokens: z
      .boolean()
      .default(false)
      .describe('OpenID Connect only: whether the exchange of a code returns `oauth_tokens`.'),
  })
  .meta({ id: 'SsoConnectionSettings' });

/** The parsed settings. */
export type Settings = z.output<typeof ConnectionSettings>;

/** Parses stored settings. */
export const settingsIn = ({ settings }: { settings: unknown }): Settings => ConnectionSettings.parse(settings);
