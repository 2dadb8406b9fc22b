import { EgressError } from '../../../kernel/egress/egress.ts';
import { checkSavedUrl } from '../../../kernel/egress/policy.ts';
import { type DeclaredError, Failure, type Issue } from '../../../kernel/errors.ts';

/**
 * Makes the failure for an error that the operation declares.
 * @param message replaces the declared message
 */
export const reject = (error: DeclaredError, message?: string): Failure =>
  new Failure(error, message === undefined ? {} : { message });

/** The issues of addresses that the service stores; empty for valid ones. */
export function addressIssues(fields: Readonly<Record<string, string | null | undefined>>): Issue[] {
  return Object.entries(fields).flatMap(([field, url]): Issue[] => {
    if (url === undefined || url === null) return [];
    try {
      checkSavedUrl(url);
      return [];
    } catch (error) {
      if (error instanceof EgressError) return [{ field, code: error.code, message: error.message }];
      throw error;
    }
  });
}
