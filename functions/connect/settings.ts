import * as z from 'zod';

import { LONGEST_TOKEN_SECONDS } from '../kernel/tokens/kinds.ts';

/** The environment's settings for its OAuth server; times are in seconds. */
const ConnectSettings = z
  .object({
    access_token_seconds: z
      .number()
      .int()
      .min(60)
      .max(LONGEST_TOKEN_SECONDS)
      .default(300)
      .describe(
        'The lifetime of an access token of an application. Services that only verify the signature accept the token of a ' +
          'deleted application for up to this time; introspection rejects it at once.',
      ),
  })
  .meta({ id: 'ConnectSettings' });

export const connectSettings = { name: 'connect', schema: ConnectSettings };
