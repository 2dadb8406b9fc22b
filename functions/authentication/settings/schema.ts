import * as z from 'zod';

/**
 * How people sign in to an environment.
 *
 * `methods`: which ways are open; a way that is closed refuses those who have used it until now, too. `sign_up`: whether
 * somebody without an account or an invitation gets one. `require_email_verification`: whether an address must have been
 * proved before a session opens. `mfa`: `optional` challenges those who enrolled a factor, `required` makes everybody
 * enrol one, `off` asks nobody. `new_device`: what a device is asked by which the user has not signed in before; needs
 * `device_id` or a user agent of each sign-in. `device_flow`: whether devices without a browser may ask for approval
 * (RFC 8628).
 */
export const AuthenticationSettings = z
  .object({
    methods: z
      .object({
        password: z.boolean().default(true),
        magic_auth: z.boolean().default(true),
        social: z.boolean().default(true),
        passkey: z.literal(false).default(false),
      })
      .prefault({}),
    sign_up: z.boolean().default(true),
    require_email_verification: z.boolean().default(true),
    mfa: z.enum(['off', 'optional', 'required']).default('optional'),
    new_device: z.enum(['allow', 'email_challenge', 'sms_challenge']).default('allow'),
    device_flow: z.boolean().default(true),
  })
  .meta({ id: 'AuthenticationSettings' });

export type AuthenticationSettings = z.output<typeof AuthenticationSettings>;

/** The section of an environment's settings. */
export const authenticationSettings = { name: 'authentication', schema: AuthenticationSettings };
