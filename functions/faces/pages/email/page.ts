import { type Html, html } from '../../../kernel/pages/html.ts';
import { captchaField } from '../../../kernel/pages/captcha.ts';
import { emailField } from '../../../kernel/pages/fields.ts';
import { form, submit } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface EmailPage extends SignInView {
  title: string;
  lead: string;
  /** The text of the button. */
  submit: string;
  wrong?: string | undefined;
  under?: Html;
}

/** A page with only an email field. */
export const emailPage = (surroundings: Surroundings, { title, lead, wrong, under, ...view }: EmailPage) =>
  page(surroundings, {
    title,
    lead,
    alert: view.alert,
    isWrong: wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    captcha: view.captcha,
    takesOwnStyle: true,
    body: html`${form(
      view.binding,
      view.action,
      html`${emailField({ value: view.email, wrong, first: true }, surroundings.language)}
      ${captchaField(view.captcha, surroundings)} ${submit(view.submit)}`,
    )}
    ${under}`,
  });
