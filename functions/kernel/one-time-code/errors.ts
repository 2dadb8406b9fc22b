import { type DeclaredError, declareError, type Failure, type FailureDetails } from '../errors.ts';
import type { CodeOutcome } from './code.ts';

const TOO_MANY = 'This code was invalidated after five incorrect attempts. Send a new one.';

/**
 * The errors of a wrong code, by its outcome: `<prefix>_code_previously_used`, `…_code_expired` and `…_code_incorrect`.
 * @param usedStatus The status of a used code, which the contract has in two variants
 */
export const codeErrors = <const Prefix extends string, const Status extends 400 | 409>(
  prefix: Prefix,
  usedStatus: Status,
) => ({
  used: declareError({
    status: usedStatus,
    code: `${prefix}_code_previously_used`,
    message: 'This code was already used. A code can be used once: send a new one.',
  }),
  expired: declareError({
    status: 400,
    code: `${prefix}_code_expired`,
    message: 'This code has expired. Send a new one.',
  }),
  invalid: declareError({
    status: 400,
    code: `${prefix}_code_incorrect`,
    message: 'This is not the code that was sent last. Use the one in the latest mail.',
  }),
});

/** The error for a code that was invalidated by too many attempts, if the contract has a separate error for that. */
export const tooManyAttemptsError = <const Prefix extends string>(prefix: Prefix) =>
  declareError({ status: 429, code: `${prefix}_too_many_attempts`, message: TOO_MANY });

/**
 * Makes the failure for a rejected code. Without a separate error, too many attempts are reported as an expired code, with
 * the reason in the message.
 */
export function failForCode<E extends DeclaredError>(
  outcome: Exclude<CodeOutcome, 'valid'>,
  errors: { used: E; expired: E; invalid: E; too_many_attempts?: E },
  fail: (error: E, details?: FailureDetails) => Failure,
): Failure {
  if (outcome !== 'too_many_attempts') return fail(errors[outcome]);
  const { expired, too_many_attempts: own } = errors;
  return own === undefined ? fail(expired, { message: TOO_MANY }) : fail(own);
}
