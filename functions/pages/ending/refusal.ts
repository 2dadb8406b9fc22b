import type { Failure } from '../../kernel/errors.ts';
import type { RefusalForm } from '../../kernel/http/refusal.ts';
import { ShownRefusal } from '../flow/refusals.ts';
import { plainSurroundings } from '../page/surroundings.ts';
import { endingPage } from './page.ts';

/** The error form of the pages: a page for a browser, the usual form for other clients. */
export const pagesRefusals: RefusalForm = {
  name: 'message',
  invalidStatus: 400,
  page: (failure, headers) => (failure instanceof ShownRefusal ? failure.page : refusalPage(failure, headers)),
};

function refusalPage({ declared, details }: Failure, headers: Readonly<Record<string, string | undefined>>) {
  const surroundings = plainSurroundings({ headers });
  const { say } = surroundings.language;
  if (declared.status === 404) return endingPage(surroundings, 'error.not_found');
  if (declared.status === 403) return endingPage(surroundings, 'error.foreign');
  if (declared.status === 429) {
    const seconds = Math.max(1, Math.ceil(details.retryAfter ?? 1));
    return endingPage(surroundings, 'error', { lead: say('page.too_many', { seconds }) });
  }
  return endingPage(surroundings, 'error', declared.code === 'concurrent_request' ? { lead: say('page.busy') } : {});
}
