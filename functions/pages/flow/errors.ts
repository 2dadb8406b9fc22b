import { declareError, type FailureDetails } from '../../kernel/errors.ts';
import { messagesWith400, type Page } from '../../kernel/http/error-response.ts';
import { PageFailure, withPages } from '../../kernel/pages/error-page.ts';

/** The error for a form with invalid values, whose page shows the errors at the fields. */
export const formInvalid = declareError({
  status: 422,
  code: 'form_refused',
  message: 'The form has errors; see the page.',
});

/** The error for a form that another site sent, or a browser without cookies. */
export const foreignForm = declareError({
  status: 403,
  code: 'foreign_form',
  message: 'The form was not sent by the page that it belongs to. Open the page and send its form.',
});

/** Errors of every form. */
export const formErrors = [formInvalid, foreignForm] as const;

/** An error with the page for the user, usually the form with its errors. */
export class RejectedForm extends PageFailure {
  constructor(page: Page, details?: FailureDetails) {
    super(formInvalid, page, details);
  }
}

/** The error format of the pages: a page for a browser, and JSON like other areas for every other client. */
export const pageErrorForm = withPages(messagesWith400);
