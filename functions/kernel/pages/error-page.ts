import { type DeclaredError, Failure, type FailureDetails } from '../errors.ts';
import type { Page, ErrorForm } from '../http/error-response.ts';
import { endingPage } from './ending.ts';
import { type Html, html } from './html.ts';
import { plainSurroundings } from './surroundings.ts';

/** An error with the page that a browser gets for it, such as a form with an error at a field. */
export class PageFailure extends Failure {
  readonly page: Page | (() => Promise<Page>);

  /** @param page the page, or the function that makes it if a browser gets it */
  constructor(declared: DeclaredError, page: Page | (() => Promise<Page>), details: FailureDetails = {}) {
    super(declared, details);
    this.page = page;
  }
}

type Asking = Parameters<NonNullable<ErrorForm['page']>>[1];

/** Adds a page to an error format, for a browser that accepts HTML. Other clients get the format without a page. */
export const withPages = (form: ErrorForm): ErrorForm => ({
  ...form,
  page: async (failure, asking) => {
    if (!(failure instanceof PageFailure)) return errorPage(failure, asking);
    return typeof failure.page === 'function' ? failure.page() : failure.page;
  },
});

async function errorPage(failure: Failure, asking: Asking): Promise<Page> {
  const { declared, details } = failure;
  const surroundings = await plainSurroundings(asking);
  const { translate } = surroundings.language;
  if (declared.status === 404) return endingPage(surroundings, 'error.not_found');
  if (declared.status === 403) return endingPage(surroundings, 'error.foreign');
  if (declared.status === 429) {
    const seconds = Math.max(1, Math.ceil(details.retryAfter ?? 1));
    return endingPage(surroundings, 'error', { lead: translate('page.too_many', { seconds }) });
  }
  if (declared.code === 'concurrent_request')
    return endingPage(surroundings, 'error', { lead: translate('page.busy') });
  return endingPage(surroundings, 'error', { more: forDevelopers(failure, asking, translate('error.details')) });
}

/** The content of the JSON response, for the developer of the application that sent the person here. */
const forDevelopers = ({ declared, message }: Failure, { requestId }: Asking, label: string): Html =>
  html`<div class="stack">
    <details>
      <summary>${label}</summary>
      <p lang="en" dir="ltr"><code>${declared.code}</code><br />${message}<br /><code>${requestId}</code></p>
    </details>
  </div>`;
