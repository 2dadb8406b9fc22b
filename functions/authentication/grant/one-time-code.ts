import type { AuthenticateError } from './errors.ts';
import { codeExpired, codeTriedTooOften, codeUsed, invalidOneTimeCode } from './errors.ts';

/** How a one-time code did that did not do. */
type Wrong = 'invalid' | 'expired' | 'too_many_attempts' | 'used';

const ERRORS = {
  invalid: invalidOneTimeCode,
  expired: codeExpired,
  too_many_attempts: codeTriedTooOften,
  used: codeUsed,
} as const satisfies Record<Wrong, AuthenticateError>;

/** How a wrong one-time code is answered. */
export const codeError = (outcome: Wrong) => ERRORS[outcome];
