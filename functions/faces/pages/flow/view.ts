import { Failure } from '../../../kernel/errors.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import type { SignInView } from './sign-in-view.ts';
import type { Language } from '../../../kernel/pages/words/index.ts';
import { RejectedForm } from './errors.ts';
import { bindingIn, pageIn, listTargets, type Visit } from './visit.ts';

/**
 * The common arguments of the pages of a visit.
 * @param path the path of the page itself, for its form
 */
export const makeView = (visit: Visit, path: string, notice?: string): SignInView => ({
  binding: bindingIn(visit),
  action: pageIn(visit, path),
  targets: listTargets(visit),
  email: visit.state.email ?? visit.flow.loginHint,
  notice,
});

/** The alert after too many attempts. */
export const tooManyText = ({ translate }: Language, seconds: number): string =>
  translate('page.too_many', { seconds: Math.max(1, Math.ceil(seconds)) });

/**
 * Shows the form again if a limit rejects the work; other errors are thrown.
 * @param again renders the form with this alert, and the seconds until the next attempt is accepted
 */
export async function renderWithAlert<T>(
  { surroundings: { language } }: Visit,
  again: (alert: string, seconds: number) => Page | Promise<Page>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.declared.status !== 429) throw error;
    const { retryAfter = 60 } = error.details;
    throw new RejectedForm(await again(tooManyText(language, retryAfter), Math.max(1, Math.ceil(retryAfter))));
  }
}
