import type { PasswordPolicy } from '../../../proofs/modules/credentials/public.ts';
import { html } from '../../../kernel/pages/html.ts';
import { emailPage } from '../email/page.ts';
import { accountField, newPasswordField } from '../../../kernel/pages/fields.ts';
import { form, submit } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import { mailboxLink } from '../verification/mailbox-link.ts';
import type { SignInView } from '../flow/sign-in-view.ts';
import { passwordRulesText } from '../../../kernel/pages/password-texts.ts';

export interface ForgotPage extends SignInView {
  back: string;
  wrong?: string | undefined;
}

/** The page that requests a link for a new password. */
export function forgotPage(surroundings: Surroundings, { back, ...view }: ForgotPage) {
  const { translate } = surroundings.language;
  const under = html`<p class="under"><a href="${back}">${translate('forgot.back')}</a></p>`;
  const texts = {
    title: translate('forgot.title'),
    lead: translate('forgot.lead'),
    submit: translate('forgot.submit'),
  };
  return emailPage(surroundings, { ...view, ...texts, under });
}

/** The page after the request, which is the same whether there is an account or not. */
export function sentPage(surroundings: Surroundings, { email, back }: { email: string; back: string }) {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate('forgot.sent_title'),
    lead: translate('forgot.sent_lead', { email }),
    sign: 'done',
    takesOwnStyle: true,
    body: html`${mailboxLink(email, surroundings.language)}
      <p class="under">${translate('code.spam')}</p>
      <p class="under"><a href="${back}">${translate('forgot.back')}</a></p>`,
  });
}

export interface ResetPage extends SignInView {
  policy: PasswordPolicy;
  wrong?: string | undefined;
}

/** The page on which a new password is chosen. */
export function resetPage(surroundings: Surroundings, view: ResetPage) {
  const { language } = surroundings;
  const { translate } = language;
  return page(surroundings, {
    title: translate('reset.title'),
    lead: translate('reset.lead'),
    alert: view.alert,
    notice: view.notice,
    isWrong: view.wrong !== undefined,
    takesOwnStyle: true,
    body: form(
      view.binding,
      view.action,
      html`${accountField(view.email)}
      ${newPasswordField(
        {
          label: translate('field.new_password'),
          minimum: view.policy.min_length,
          hint: passwordRulesText(language, view.policy),
          wrong: view.wrong,
          first: true,
        },
        language,
      )}
      ${submit(translate('reset.submit'))}`,
    ),
  });
}
