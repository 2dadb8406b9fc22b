import * as z from 'zod';

import { isWebUri, WEB_URI_RULE } from '../../../tenancy/modules/client-settings/public.ts';

/** An environment's sign-in settings. */
export const SignInSettings = z
  .object({
    methods: z
      .object({
        password: z.boolean().default(true),
        magic_auth: z.boolean().default(true),
        social: z.boolean().default(true),
        passkey: z
          .boolean()
          .default(false)
          .describe('Whether the hosted pages offer passkeys. Browsers bind each one to the domain of the service.'),
      })
      .prefault({})
      .describe('The enabled sign-in methods.'),
    sign_up: z
      .boolean()
      .default(true)
      .describe('Whether users can sign up without an invitation. Invitations and the API can always create users.'),
    require_email_verification: z
      .boolean()
      .default(true)
      .describe('Whether an email address must be verified before sign-in.'),
    mfa: z
      .enum(['off', 'optional', 'required'])
      .default('optional')
      .describe(
        '`optional` challenges users who enrolled a factor, `required` makes every user enroll one, `off` never challenges. It does not apply to sign-ins with a passkey, nor to single sign-on: there `second_factor` of the connection’s settings decides.',
      ),
    device_trust: z
      .object({
        enabled: z.boolean().default(false).describe('Whether the page of the second factor offers this choice.'),
        days: z
          .number()
          .int()
          .min(1)
          .max(90)
          .default(30)
          .describe('The number of days for which the browser is not asked again.'),
      })
      .prefault({})
      .describe(
        'Whether a user can choose not to be asked for the second factor again in the same browser. It is asked for nevertheless if the application sends `prompt=login` or `max_age`, ' +
          'or if the connection requires a second factor.',
      ),
    factor_enrollment: z
      .boolean()
      .default(false)
      .describe(
        'Whether the hosted pages offer a user without a second factor to add an authenticator app after a sign-in, if `mfa` is ' +
          '`optional`. Users can skip it: it is offered again after 30 days, and three times at most.',
      ),
    passkey_enrollment: z
      .boolean()
      .default(true)
      .describe(
        'Whether the hosted pages offer a user without a passkey to create one after a sign-in, if passkeys are on.',
      ),
    passkey_enrollment_grants: z
      .boolean()
      .default(false)
      .describe(
        'Whether `passkey_enrollment` also applies to sign-ins by POST /user_management/authenticate. It then responds 403 ' +
          '`passkey_progressive_enrollment`, and the application sends the browser to GET /user_management/authorize with the ' +
          '`pending_authentication_token`. Enable it after your application does so.',
      ),
    new_device: z
      .enum(['allow', 'email_challenge', 'sms_challenge'])
      .default('allow')
      .describe(
        'The additional requirement for a sign-in from a device that is new to the user. On the hosted pages a cookie identifies the device; a back ' +
          'end sends `device_id`, else `user_agent`.',
      ),
    browser_refresh: z
      .enum(['both', 'cookie', 'body'])
      .default('both')
      .describe(
        'How a page of a registered origin gets its refresh token: `cookie` in a cookie that scripts cannot read, ' +
          '`body` in the response, `both` in both. It does not affect other clients.',
      ),
    device_flow: z
      .boolean()
      .default(true)
      .describe('Whether devices without a browser can sign in by the device flow (RFC 8628).'),
    initiate_login_uri: z
      .string()
      .max(1_000)
      .refine(isWebUri, WEB_URI_RULE)
      .nullable()
      .default(null)
      .describe(
        'The address of your application that begins a sign-in, such as `https://app.example.com/sign-in`. If it is set, `authkit_redirect_url` of a ' +
          'rejected refresh is this address with `organization_id`, which your application passes on to the authorization URL. The framework clients ' +
          '`authkit-nextjs` and `authkit-session` need it, because they accept only codes of sign-ins that they began.',
      ),
  })
  .meta({ id: 'SignInSettings' });

export type SignInSettings = z.output<typeof SignInSettings>;

/** The section of an environment's settings that the authentication area serves. */
export const signInSettings = { name: 'authentication', schema: SignInSettings };
