import * as z from 'zod';

import { isProblem, readUri } from '../../tenancy/modules/client-settings/public.ts';

const address = (description: string) =>
  z
    .string()
    .refine(
      (text) => !isProblem(readUri(text, { ownSchemes: false })) && !text.includes('*'),
      'must be an https address',
    )
    .nullable()
    .default(null)
    .describe(description);

/** The environment's settings for the portal. */
export const PortalSettings = z
  .object({
    return_url: address('The return_url of links that have none. Default: the default redirect URI.'),
    success_url: address('The success_url of links that have none. Default: return_url.'),
  })
  .meta({ id: 'PortalSettings' });

/** The section of an environment's settings. */
export const portalSettings = { name: 'portal', schema: PortalSettings };
