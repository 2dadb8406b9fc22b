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
        'How long an access token of an application is valid. Services that verify it by its signature accept it that long ' +
          'after its application was deleted; introspection rejects it at once.',
      ),
  })
  .meta({ id: 'ConnectSettings' });

export const connectSettings = { name: 'connect', schema: ConnectSettings };
