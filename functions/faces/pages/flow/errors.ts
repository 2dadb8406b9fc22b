import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { withPages } from '../../../kernel/pages/error-page.ts';

export { foreignForm, formErrors, formInvalid, RejectedForm } from '../../../kernel/pages/form-errors.ts';

/** The error format of the pages: a page for a browser, and JSON like other areas for every other client. */
export const pageErrorForm = withPages(messagesWith400);
