import * as z from 'zod';

import { secret } from '../../../kernel/values.ts';

export const AuthorizeDevice = z.object({ client_id: z.string().max(255) });

/** The response of RFC 8628 section 3.2. */
export const DeviceAuthorizationResponse = z
  .object({
    device_code: secret,
    user_code: secret.describe('The code that the user enters on the page of `verification_uri`.'),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    /** Seconds until both codes expire. */
    expires_in: z.number(),
    /** Minimum seconds between two polls. */
    interval: z.number(),
  })
  .meta({ id: 'DeviceAuthorizationResponse' });
