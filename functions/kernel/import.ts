import * as z from 'zod';

import { declareError, type DeclaredError, Failure, type FailureDetails, type Issue } from './errors.ts';
import { isId } from './id-format.ts';
import type { Unit } from './storage/unit.ts';

/** A kind of line in an import file, identified by the value of its member `object`. */
export interface ImportKind {
  object: string;
  schema: z.ZodType;
  /**
   * Stages the record of one line of the import, with its events, in a unit of work of its own. It is called again after a conflict.
   * @returns false if the record already exists, which is then left as it is
   * @throws Failure with the reason for rejecting the line
   */
  take: (unit: Unit, environmentId: string, line: never) => Promise<boolean>;
}

/** Declares a kind of line with its schema, which has `object` as a literal. */
export const importKind = <Line>(
  object: string,
  schema: z.ZodType<Line>,
  take: (unit: Unit, environmentId: string, line: Line) => Promise<boolean>,
): ImportKind => ({ object, schema, take });

/** The original id of an imported record. */
export const importedId = (prefix: string) =>
  z.string().refine((text) => isId(prefix, text), `is no id such as ${prefix}_01JX…`);

const rejectedLine = declareError({ status: 400, code: 'import_refused', message: 'The line cannot be imported.' });

/** An error with the reason why a line is not imported, which a write's condition may have. */
export const lineFailure = (message: string): Failure => new Failure(rejectedLine, { message });

/** The errors that a line of an import shares with the operation that does the same. */
export const lineRejections = {
  fail: (error: DeclaredError, details?: FailureDetails): Failure => new Failure(error, details ?? {}),
  invalid: (issues: readonly Issue[]): Failure =>
    lineFailure(issues.map(({ field, message }) => `${field}: ${message}`).join('; ')),
};
