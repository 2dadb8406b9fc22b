import * as z from 'zod';

/** How people of an environment sign in. */
export const SignInSettings = z
  .object({
    methods: z
      .object({
        password: z.boolean().default(true),
        magic_auth: z.boolean().default(true),
        social: z.boolean().default(true),
        passkey: z.literal(false).default(false).describe('Not yet.'),
      })
      .prefault({})
      .describe('What people may sign in with.'),
    sign_up: z
      .boolean()
      .default(true)
      .describe('Whether people without an account may make one; invitations and the API make users all the same.'),
    require_email_verification: z
      .boolean()
      .default(true)
      .describe('Whether an email address must be verified before sign-in.'),
    mfa: z
      .enum(['off', 'optional', 'required'])
      .default('optional')
      .describe(
        '`optional` challenges users who enrolled a factor, `required` makes every user enroll one, `off` never challenges.',
      ),
    new_device: z
      .enum(['allow', 'email_challenge', 'sms_challenge'])
      .default('allow')
      .describe(
        'What a sign-in from a device that is new to the user also requires. On the hosted pages a cookie identifies the device; a back ' +
          'end sends `device_id`, else `user_agent`.',
      ),
    browser_refresh: z
      .enum(['both', 'cookie', 'body'])
      .default('both')
      .describe(
        'Where a page of a registered origin finds its refresh token: `cookie` in a cookie that no script can read, `body` in ' +
          'the response, `both` in either. Without effect on clients that are no pages.',
      ),
    device_flow: z
      .boolean()
      .default(true)
      .describe('Whether devices without a browser may ask for approval (RFC 8628).'),
  })
  .meta({ id: 'SignInSettings' });

export type SignInSettings = z.output<typeof SignInSettings>;

/** The section of an environment's settings that the authentication area serves. */
export const signInSettings = { name: 'authentication', schema: SignInSettings };
