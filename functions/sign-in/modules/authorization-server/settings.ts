import * as z from 'zod';

import { isWebUri, WEB_URI_RULE } from '../../../tenancy/modules/client-settings/public.ts';
import { LONGEST_TOKEN_SECONDS } from '../../../kernel/tokens/kinds.ts';

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
    refresh_token_idle_seconds: z
      .number()
      .int()
      .min(300)
      .max(31_536_000)
      .default(2_592_000)
      .describe('How long a refresh token is valid without use; each use extends it.'),
    refresh_token_lifetime_seconds: z
      .number()
      .int()
      .min(300)
      .max(63_072_000)
      .default(31_536_000)
      .describe('How long an application can refresh after the user signed in, however often it does.'),
    registration: z
      .enum(['off', 'loopback', 'any'])
      .default('off')
      .describe(
        'Whether applications that the environment does not know may register themselves (RFC 7591) or be described by a metadata document: ' +
          'none, those whose redirect URIs are on the user’s own computer, or any.',
      ),
    registration_scopes: z
      .array(z.string().min(1).max(128))
      .max(100)
      .default([])
      .describe(
        'Permissions that an application which registered itself may request, in addition to the scopes of OpenID Connect.',
      ),
    login_uri: z
      .string()
      .max(1_000)
      .refine(isWebUri, WEB_URI_RULE)
      .nullable()
      .default(null)
      .describe(
        'The page of the environment’s own application that signs users in for other applications, instead of the hosted pages: see ' +
          '`POST /hosted/oauth2/complete`.',
      ),
  })
  .meta({ id: 'ConnectSettings' });

export const connectSettings = { name: 'connect', schema: ConnectSettings };
