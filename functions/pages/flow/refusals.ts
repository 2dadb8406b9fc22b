import { declareError, Failure, type FailureDetails } from '../../kernel/errors.ts';
import type { Page } from '../../kernel/http/refusal.ts';

/** A form whose content cannot be taken; its page says why beside the field. */
export const formRefused = declareError({
  status: 422,
  code: 'form_refused',
  message: 'The form has errors; see the page.',
});

/** A form that another site sent in somebody's name, or that a browser without cookies did. */
export const foreignForm = declareError({
  status: 403,
  code: 'foreign_form',
  message: 'The form was not sent by the page that it belongs to. Open the page and send its form.',
});

/** Refusals of every form. */
export const formErrors = [formRefused, foreignForm] as const;

/** A refusal with the page that a person sees in its place, mostly the form again with what is wrong with it. */
export class ShownRefusal extends Failure {
  readonly page: Page;

  constructor(page: Page, details: FailureDetails = {}) {
    super(formRefused, details);
    this.page = page;
  }
}
