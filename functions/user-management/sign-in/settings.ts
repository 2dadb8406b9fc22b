import * as z from 'zod';

/**
 * How people of an environment sign in.
 *
 * `methods`: what they may sign in with. `sign_up`: whether people without an account may make one themselves; invitations
 * and the API make users all the same. `require_email_verification`: whether nobody is signed in before the address is
 * proved. `mfa`: `optional` asks those who enrolled a factor, `required` has everybody enrol one, `off` asks nobody.
 * `new_device`: what a sign-in from a device that was not seen before needs besides.
 */
export const SignInSettings = z
  .object({
    methods: z
      .object({
        password: z.boolean().default(true),
        magic_auth: z.boolean().default(true),
        social: z.boolean().default(true),
        passkey: z.boolean().default(false),
      })
      .prefault({}),
    sign_up: z.boolean().default(true),
    require_email_verification: z.boolean().default(true),
    mfa: z.enum(['off', 'optional', 'required']).default('optional'),
    new_device: z.enum(['allow', 'email_challenge', 'sms_challenge']).default('allow'),
  })
  .meta({ id: 'SignInSettings' });

/** The section of an environment's settings that the authentication area serves. */
export const signInSettings = { name: 'authentication', schema: SignInSettings };
