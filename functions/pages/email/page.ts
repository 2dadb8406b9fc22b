import { type Html, html } from '../../kernel/http/html.ts';
import { emailField } from '../page/fields.ts';
import { form, submit } from '../page/form.ts';
import { page } from '../page/layout.ts';
import type { Surroundings } from '../page/surroundings.ts';
import type { SignInView } from '../page/view.ts';

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
    body: html`${form(
      view.binding,
      view.action,
      html`${emailField({ value: view.email, wrong, first: true }, surroundings.language)} ${submit(view.submit)}`,
    )}
    ${under}`,
  });
