import { type DeclaredError, Failure, type FailureDetails } from '../errors.ts';
import type { Page, ErrorForm } from '../http/error-response.ts';

/** An error with the page that a browser gets for it, such as a form with an error at a field. */
export class PageFailure extends Failure {
  readonly page: Page | (() => Promise<Page>);

  /** @param page the page, or the function that makes it if a browser gets it */
  constructor(declared: DeclaredError, page: Page | (() => Promise<Page>), details: FailureDetails = {}) {
    super(declared, details);
    this.page = page;
  }
}

/** Adds a page to an error format, for a browser that accepts HTML. Other clients get the format without a page. */
export const withPages = (form: ErrorForm): ErrorForm => ({
  ...form,
  page: async (failure, asking) => {
    if (failure instanceof PageFailure) return typeof failure.page === 'function' ? failure.page() : failure.page;
    const { errorPage } = await import('./apart.ts');
    return errorPage(failure, asking);
  },
});
