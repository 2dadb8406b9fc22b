import { declareError, Failure, type FailureDetails } from '../../kernel/errors.ts';
import type { Page } from '../../kernel/http/refusal.ts';

/** A form with invalid values; its page shows the errors at the fields. */
export const formRefused = declareError({
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
export const formErrors = [formRefused, foreignForm] as const;

/** An error with the page for the user, usually the form again with its errors. */
export class ShownRefusal extends Failure {
  readonly page: Page;

  constructor(page: Page, details: FailureDetails = {}) {
    super(formRefused, details);
    this.page = page;
  }
}
