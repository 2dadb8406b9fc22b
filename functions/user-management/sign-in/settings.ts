import * as z from 'zod';

/**
 * How people of an environment sign in.
 *
 * `methods`: what they may sign in with. `sign_up`: whether people without an account may make one themselves; invitations
 * and the API make users all the same. `require_email_verification`: whether nobody is signed in before the address is
 * proved. `mfa`: `optional` asks those who enrolled a factor, `required` has everybody enrol one, `off` asks nobody.
 * `new_device`: what a sign-in by a device that the user has not signed in by before needs besides; devices are told apart by
 * `device_id`, else by the user agent. `device_flow`: whether devices without a browser may ask for approval (RFC 8628).
 */
export const SignInSettings = z
  .object({
    methods: z
      .object({
        password: z.boolean().default(true),
        magic_auth: z.boolean().default(true),
        social: z.boolean().default(true),
        /** Not yet. */
        passkey: z.literal(false).default(false),
      })
      .prefault({}),
    sign_up: z.boolean().default(true),
    require_email_verification: z.boolean().default(true),
    mfa: z.enum(['off', 'optional', 'required']).default('optional'),
    new_device: z.enum(['allow', 'email_challenge', 'sms_challenge']).default('allow'),
    device_flow: z.boolean().default(true),
  })
  .meta({ id: 'SignInSettings' });

export type SignInSettings = z.output<typeof SignInSettings>;

/** The section of an environment's settings that the authentication area serves. */
export const signInSettings = { name: 'authentication', schema: SignInSettings };
