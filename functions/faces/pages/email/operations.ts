import { html } from '../../../kernel/pages/html.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { isByPerson } from '../captcha/check.ts';
import { emailIn } from '../flow/email-field.ts';
import { PATHS } from '../flow/paths.ts';
import { RejectedForm } from '../flow/errors.ts';
import { step } from '../flow/step.ts';
import { renderWithAlert, makeView } from '../flow/view.ts';
import { pageIn, redirect, otherUserPage, stageState, type Visit } from '../flow/visit.ts';
import { sendSignInCode } from '../magic-code/send.ts';
import { type EmailPage, emailPage } from './page.ts';

function renderPage(visit: Visit, overrides: Partial<EmailPage>): Page {
  const { translate } = visit.surroundings.language;
  const texts = {
    title: translate('email.title'),
    lead: translate('email.lead'),
    submit: translate('sign_in.continue'),
  };
  const under = html`<p class="under"><a href="${otherUserPage(visit)}">${translate('page.start_again')}</a></p>`;
  return emailPage(visit.surroundings, {
    ...makeView(visit, PATHS.email),
    captcha: visit.captcha,
    ...texts,
    under,
    ...overrides,
  });
}

/**
 * The page for the email of an account whose provider returned none. A code verifies the address before any account is
 * created or linked, on the page of mailed codes. The page is the same whether or not a user has the address.
 */
export const emailOperations = step({
  name: 'email',
  path: PATHS.email,
  summary: 'The page on which the user enters the email address that the provider did not share',
  show: async (visit, _unit, notice) =>
    visit.state.account === undefined ? redirect(pageIn(visit, PATHS.signIn)) : renderPage(visit, { notice }),
  async take(visit, form, unit) {
    const { account } = visit.state;
    if (account === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { email, wrong } = emailIn(visit, form);
    if (email === undefined) throw new RejectedForm(renderPage(visit, { email: form.email, wrong }));
    const again = (alert: string): Page => renderPage(visit, { email, alert });
    if (!(await isByPerson(unit, visit, form)))
      throw new RejectedForm(again(visit.surroundings.language.translate('captcha.failed')));
    return renderWithAlert(visit, again, async () => {
      await sendSignInCode(unit, visit, email);
      stageState(unit, visit, { email, account });
      return redirect(pageIn(visit, PATHS.code));
    });
  },
});
