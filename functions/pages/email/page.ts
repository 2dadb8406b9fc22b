import { html } from '../../kernel/http/html.ts';
import { emailField } from '../page/fields.ts';
import { form, submit } from '../page/form.ts';
import { page } from '../page/layout.ts';
import type { Surroundings } from '../page/surroundings.ts';
import type { SignInView } from '../page/view.ts';

export interface EmailPage extends SignInView {
  wrong?: string | undefined;
}

/** Where somebody gives the email address that a provider did not tell. */
export function emailPage(surroundings: Surroundings, view: EmailPage) {
  const { language } = surroundings;
  const { say } = language;
  return page(surroundings, {
    title: say('email.title'),
    lead: say('email.lead'),
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    body: form(
      view.binding,
      view.action,
      html`${emailField({ value: view.email, wrong: view.wrong, first: true }, language)}
      ${submit(say('sign_in.continue'))}`,
    ),
  });
}
