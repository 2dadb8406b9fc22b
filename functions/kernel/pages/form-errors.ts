import { declareError, type FailureDetails } from '../errors.ts';
import type { Page } from '../http/error-response.ts';
import { PageFailure } from './error-page.ts';

/** The error for a form with invalid values, whose page shows the errors at the fields. */
export const formInvalid = declareError({
  status: 422,
  code: 'form_refused',
  message: 'The form has errors; see the page.',
});

/** The error for a form that a page of another site sent. */
export const foreignForm = declareError({
  status: 403,
  code: 'foreign_form',
  message: 'The form came from a page of another site. Open the page of this service and send its form.',
});

/** Errors of every form. */
export const formErrors = [formInvalid, foreignForm] as const;

/** An error with the page for the user, usually the form with its errors. */
export class RejectedForm extends PageFailure {
  constructor(page: Page, details?: FailureDetails) {
    super(formInvalid, page, details);
  }
}
