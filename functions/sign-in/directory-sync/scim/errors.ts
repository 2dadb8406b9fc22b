import { declareError, Failure } from '../../../kernel/errors.ts';
import { ScimProblem, type ScimType } from './problem.ts';

export const scimUnauthorized = declareError({
  status: 401,
  code: 'unauthorized',
  message:
    'The token is not valid for the directory of this URL. Check both at your identity provider. A token is shown only once: if it is lost, create a new one in the set-up of the directory.',
});

export const scimSwitchedOff = declareError({
  status: 403,
  code: 'directory_unlinked',
  message:
    'The directory is disabled. Ask the provider of the application to enable it, or stop the synchronization at your identity provider.',
});

export const scimRateLimited = declareError({
  status: 429,
  code: 'rate_limit_exceeded',
  message: 'Too many requests. Send the request again after the time in Retry-After.',
});

export const scimNotFound = declareError({
  status: 404,
  code: 'not_found',
  message: 'There is no such resource in this directory.',
});

export const scimStale = declareError({
  status: 412,
  code: 'precondition_failed',
  message: 'The version in If-Match is not the current version. Read the resource again.',
});

export const scimNotImplemented = declareError({
  status: 501,
  code: 'not_implemented',
  message: 'This operation is not supported: send each change as a separate request to /Users or /Groups.',
});

export const scimTaken = declareError({
  status: 409,
  code: 'uniqueness',
  message:
    'Another user of this directory has this userName, or another group this displayName. Find it by a filter, and change that one.',
});

const invalid = <const Type extends ScimType>(code: Type, message: string) =>
  declareError({ status: 400, code, message });

/** The errors of invalid input; a response's `detail` is more specific. */
const INVALID = {
  invalidFilter: invalid('invalidFilter', 'The filter is not valid.'),
  tooMany: invalid(
    'tooMany',
    'The request would read too many resources, or has too many operations. Compare an indexed attribute by `eq`, read the list from its beginning, or send several requests: `detail` says which.',
  ),
  mutability: invalid('mutability', 'The attribute cannot be changed.'),
  invalidSyntax: invalid('invalidSyntax', 'The body is not valid.'),
  invalidPath: invalid('invalidPath', 'The path is not valid.'),
  noTarget: invalid('noTarget', 'The path matches no value.'),
  invalidValue: invalid('invalidValue', 'A value is missing or not valid.'),
  invalidCursor: invalid('invalidCursor', 'The cursor does not belong to this list.'),
} as const;

/** The errors of reads with filters. */
export const filterErrors = [INVALID.invalidFilter, INVALID.tooMany, INVALID.invalidValue] as const;

/** The errors of reads with filters and cursors. */
export const searchErrors = [...filterErrors, INVALID.invalidCursor] as const;

/** The errors of writes. */
export const writeErrors = [
  INVALID.invalidFilter,
  INVALID.tooMany,
  INVALID.mutability,
  INVALID.invalidSyntax,
  INVALID.invalidPath,
  INVALID.noTarget,
  INVALID.invalidValue,
] as const;

/** The errors of every SCIM operation. */
export const commonErrors = [scimUnauthorized, scimSwitchedOff, scimRateLimited] as const;

/**
 * Runs the pure parts of a call.
 * @throws Failure for an input that they reject
 */
export function checked<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ScimProblem)) throw error;
    const declared = INVALID[error.scimType as keyof typeof INVALID] ?? INVALID.invalidValue;
    throw new Failure(declared, { message: error.message });
  }
}
