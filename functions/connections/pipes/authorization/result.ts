import { declareError } from '../../../kernel/errors.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { PageFailure } from '../../../kernel/pages/error-page.ts';
import { type Surroundings, findSurroundings } from '../../../kernel/pages/surroundings.ts';
import type { AuthorizationFailure } from './complete.ts';
import type { AuthorizationRecord } from './entity.ts';

export const notConnected = declareError({
  status: 400,
  code: 'account_not_connected',
  message: 'The account was not connected. Start again; pipes.connected_account.connection_failed has the reason.',
});

/** The result of an authorization. */
export interface Result {
  failure?: AuthorizationFailure | undefined;
  /** The connect code, with which the application finishes the connected account. */
  connectCode?: string | undefined;
}

/**
 * Ends an authorization in the browser: by a redirect to the application, or by a page with the result.
 * @throws PageFailure `notConnected` with the page of a failure
 */
export async function endAuthorization(
  request: IncomingRequest,
  record: AuthorizationRecord,
  provider: string,
  result: Result,
) {
  const { environmentId, returnTo } = record;
  if (returnTo !== undefined)
    return { status: 302 as const, headers: { location: resultUrl(record, returnTo, result) } };
  const response = resultPage(await findSurroundings(environmentId, request), provider, result.failure);
  if (result.failure !== undefined) throw new PageFailure(notConnected, response);
  return { status: 200 as const, ...response };
}

/**
 * The address to which the browser is redirected. It contains no text of the provider, because the page may send its
 * address to others.
 */
function resultUrl({ id: state }: AuthorizationRecord, returnTo: string, { failure, connectCode }: Result): string {
  const url = new URL(returnTo);
  if (failure !== undefined) {
    url.searchParams.set('error', failure.code);
    if (failure.reason !== null) url.searchParams.set('error_description', failure.reason);
  }
  if (connectCode !== undefined) url.searchParams.set('connect_code', connectCode);
  if (failure !== undefined || connectCode !== undefined) url.searchParams.set('state', state);
  return url.href;
}

function resultPage(surroundings: Surroundings, provider: string, failure: AuthorizationFailure | undefined) {
  const { translate } = surroundings.language;
  if (failure === undefined) {
    const title = translate('connect.done_title', { provider });
    return page(surroundings, { title, lead: translate('signed_out.lead'), sign: 'done' });
  }
  return page(surroundings, {
    title: translate('connect.failed_title', { provider }),
    lead: translate('connect.failed_lead'),
    sign: 'rejected',
    // The reason is in English, since it is for the developer.
    body: failure.reason === null ? undefined : html`<p class="hint" lang="en" dir="ltr">${failure.reason}</p>`,
  });
}
