import type { AuthenticateError } from './errors.ts';
import { codeExpired, codeTriedTooOften, codeUsed, invalidOneTimeCode } from './errors.ts';

/** The reason why a one-time code was not accepted. */
type Wrong = 'invalid' | 'expired' | 'too_many_attempts' | 'used';

const ERRORS = {
  invalid: invalidOneTimeCode,
  expired: codeExpired,
  too_many_attempts: codeTriedTooOften,
  used: codeUsed,
} as const satisfies Record<Wrong, AuthenticateError>;

/** The error for a rejected one-time code. */
export const codeError = (outcome: Wrong) => ERRORS[outcome];
