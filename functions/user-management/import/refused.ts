import { declareError, Failure } from '../../kernel/errors.ts';

const refusedLine = declareError({ status: 400, code: 'import_refused', message: 'The line cannot be imported.' });

/** Why a line is not imported, as a refusal that a write's condition may carry. */
export const refusal = (message: string): Failure => new Failure(refusedLine, { message });
