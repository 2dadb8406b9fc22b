import * as z from 'zod';

import { LONGEST_TOKEN_SECONDS } from '../../kernel/tokens/kinds.ts';

/**
 * Maximum number of live sessions of a user, so that one transaction can revoke all of them. The largest such transaction
 * is the first proof of an address, which also removes ten factors and ten identities, opens a session and may accept an
 * invitation.
 */
export const MOST_SESSIONS = 20;

const YEAR_SECONDS = 365 * 86_400;
const MONTH_SECONDS = 30 * 86_400;

const seconds = (least: number, most: number, usual: number) => z.number().int().min(least).max(most).default(usual);

/** The environment's settings for sessions, in seconds. */
const SessionSettings = z
  .object({
    max_lifetime_seconds: seconds(300, YEAR_SECONDS, MONTH_SECONDS).describe(
      'The maximum lifetime of a session, even if it is used.',
    ),
    inactivity_seconds: seconds(300, YEAR_SECONDS, MONTH_SECONDS).describe(
      'The time without a refresh after which a session ends.',
    ),
    access_token_seconds: seconds(60, LONGEST_TOKEN_SECONDS, 300).describe(
      'How long an access token is valid. Services that only verify the token accept a revoked session for up to ' +
        'this time.',
    ),
    max_sessions: z
      .number()
      .int()
      .min(1)
      .max(MOST_SESSIONS)
      .default(20)
      .describe('The maximum number of active sessions of a user. A further session revokes the oldest one.'),
    logout_uri: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .nullable()
      .default(null)
      .describe('The target of a logout without `return_to`. Default: the default redirect URI.'),
  })
  .meta({ id: 'SessionSettings' });

/** The part of an environment's settings that is about sessions. */
export const sessionSettings = { name: 'sessions', schema: SessionSettings };
