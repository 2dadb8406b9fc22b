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
    message: 'This code was used already. Codes work once.',
  }),
  expired: declareError({
    status: 400,
    code: `${prefix}_code_expired`,
    message: 'This code has expired. Send a new one.',
  }),
  invalid: declareError({
    status: 400,
    code: `${prefix}_code_incorrect`,
    message: 'This is not the code that was sent last.',
  }),
});

/** The error of a code that was invalidated by attempts, where the contract has one of its own. */
export const tooManyAttemptsError = <const Prefix extends string>(prefix: Prefix) =>
  declareError({ status: 429, code: `${prefix}_too_many_attempts`, message: TOO_MANY });

/** Makes the failure of a wrong code. Without an error of its own, too many attempts are an expired code, with their reason. */
export function failForCode<E extends DeclaredError>(
  outcome: Exclude<CodeOutcome, 'valid'>,
  errors: { used: E; expired: E; invalid: E; too_many_attempts?: E },
  fail: (error: E, details?: FailureDetails) => Failure,
): Failure {
  if (outcome !== 'too_many_attempts') return fail(errors[outcome]);
  const { expired, too_many_attempts: own } = errors;
  return own === undefined ? fail(expired, { message: TOO_MANY }) : fail(own);
}
