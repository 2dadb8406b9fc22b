import * as z from 'zod';

/** Seconds of the longest access token that an environment may ask for: former signing keys stay published this long. */
export const LONGEST_ACCESS_TOKEN_SECONDS = 3_600;

/**
 * The most live sessions that a user may have, so that one transaction can revoke all of them: that of the first proof of an
 * address, which removes ten factors and ten identities besides.
 */
export const MOST_SESSIONS = 25;

const YEAR_SECONDS = 365 * 86_400;
const MONTH_SECONDS = 30 * 86_400;

/**
 * What an environment sets for sessions, in seconds.
 *
 * `max_lifetime_seconds`: how long a session lives at most, whatever is done with it. `inactivity_seconds`: after how long
 * without a refresh it ends. `access_token_seconds`: how long an access token is valid, which is also how long a revoked
 * session may still be believed by whoever only checks the token. `max_sessions`: live sessions of one user; opening
 * one more revokes the oldest. `logout_uri`: where a logout leads that names no `return_to`.
 */
export const SessionSettings = z
  .object({
    max_lifetime_seconds: z.number().int().min(300).max(YEAR_SECONDS).default(MONTH_SECONDS),
    inactivity_seconds: z.number().int().min(300).max(YEAR_SECONDS).default(MONTH_SECONDS),
    access_token_seconds: z.number().int().min(60).max(LONGEST_ACCESS_TOKEN_SECONDS).default(300),
    max_sessions: z.number().int().min(1).max(MOST_SESSIONS).default(20),
    logout_uri: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .nullable()
      .default(null),
  })
  .meta({ id: 'SessionSettings' });

/** The section of an environment's settings. */
export const sessionSettings = { name: 'sessions', schema: SessionSettings };
