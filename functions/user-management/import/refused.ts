import { declareError, Failure } from '../../kernel/errors.ts';

const refusedLine = declareError({ status: 400, code: 'import_refused', message: 'The line cannot be imported.' });

/** The reason why a line is not imported, as an error that a write's condition may have. */
export const refusal = (message: string): Failure => new Failure(refusedLine, { message });
