import type { Failure } from '../errors.ts';
import type { ErrorForm, Page } from '../http/error-response.ts';
import { endingPage, signedOutPage } from './ending.ts';
import { type Html, html } from './html.ts';
import { plainSurroundings } from './surroundings.ts';

/** Parts of a request that a page without an environment depends on: the language of the browser. */
type Asking = Parameters<NonNullable<ErrorForm['page']>>[1];

/**
 * Makes the page of an error whose environment is not known, in the language of the browser. It needs the layout, the theme
 * and the English texts, some 75 KiB, which a deployed function loads as a separate file with the first such page
 * (`lib/stack/apart.ts`).
 */
export async function errorPage(failure: Failure, asking: Asking): Promise<Page> {
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

/** Makes the page that confirms a logout if the environment is not known, in the language of the browser. It is loaded like {@link errorPage}. */
export const plainSignedOutPage = async (asking: Parameters<typeof plainSurroundings>[0]): Promise<Page> =>
  signedOutPage(await plainSurroundings(asking));
