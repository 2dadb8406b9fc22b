import { html } from '../../kernel/http/html.ts';
import { codeField } from '../page/fields.ts';
import { form, otherwise, submit } from '../page/form.ts';
import { page } from '../page/layout.ts';
import type { Surroundings } from '../page/surroundings.ts';
import type { SignInView } from '../page/view.ts';

export interface CodePage extends SignInView {
  title: string;
  lead: string;
  wrong?: string | undefined;
  /** How a new code comes that can be asked for here; absent where an app shows the codes. */
  sentBy?: 'mail' | 'sms' | undefined;
  /** Where else to go. */
  other?: { address: string; label: string } | undefined;
}

/** A page that asks for a code which was sent, or which an app shows. */
export function codePage(surroundings: Surroundings, view: CodePage) {
  const { language } = surroundings;
  const { say } = language;
  return page(surroundings, {
    title: view.title,
    lead: view.lead,
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    body: html`${form(
      view.binding,
      view.action,
      html`${codeField({ wrong: view.wrong }, language)} ${submit(say('code.submit'))}
      ${view.sentBy !== undefined && otherwise('resend', say('code.resend'))}`,
    )}
    ${view.sentBy === 'mail' && html`<p class="under">${say('code.spam')}</p>`}
    ${view.other && html`<p class="under"><a href="${view.other.address}">${view.other.label}</a></p>`}`,
  });
}
