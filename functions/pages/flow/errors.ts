import { declareError, type FailureDetails } from '../../kernel/errors.ts';
import { messagesWith400, type Page } from '../../kernel/http/error-response.ts';
import { PageFailure, withPages } from '../../kernel/pages/error-page.ts';

/** A form with invalid values; its page shows the errors at the fields. */
export const formInvalid = declareError({
  status: 422,
  code: 'form_refused',
  message: 'The form has errors; see the page.',
});

/** A form that another site sent, or a browser without cookies. */
export const foreignForm = declareError({
  status: 403,
  code: 'foreign_form',
  message: 'The form was not sent by the page that it belongs to. Open the page and send its form.',
});

/** Errors of every form. */
export const formErrors = [formInvalid, foreignForm] as const;

/** An error with the page for the user, usually the form again with its errors. */
export class RejectedForm extends PageFailure {
  constructor(page: Page, details?: FailureDetails) {
    super(formInvalid, page, details);
  }
}

/** How the pages reject: by a page to a browser, as the other areas to everything else. */
export const pageErrorForm = withPages(messagesWith400);
