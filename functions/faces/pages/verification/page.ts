import { type Html, html } from '../../../kernel/pages/html.ts';
import { codeField } from '../../../kernel/pages/fields.ts';
import { form, signalsField, submit } from '../../../kernel/pages/form.ts';
import { resendButton } from '../../../kernel/pages/resend.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import { mailboxLink } from './mailbox-link.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface CodePage extends SignInView {
  title: string;
  lead: string;
  wrong?: string | undefined;
  /** The channel of a new code, if one can be requested here; absent if an app generates the codes. */
  sentBy?: 'mail' | 'sms' | undefined;
  /** The seconds after which a new code can be requested, if a limit has just rejected one. */
  resendSeconds?: number | undefined;
  /** True for a page with the environment's own style rules: a code of a first factor, not of a second one. */
  takesOwnStyle?: boolean;
  /** A choice below the field. */
  choice?: Html | undefined;
  /** A link to an alternative. */
  other?: { address: string; label: string } | undefined;
  /** Further content below the form. */
  under?: Html | undefined;
}

/** A page for a code that was sent, or that an app generates. */
export function codePage(surroundings: Surroundings, view: CodePage) {
  const { language } = surroundings;
  const { translate } = language;
  return page(surroundings, {
    title: view.title,
    lead: view.lead,
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    signals: view.signals,
    takesOwnStyle: view.takesOwnStyle,
    body: html`${form(
      view.binding,
      view.action,
      html`${codeField({ wrong: view.wrong }, language)} ${view.choice} ${signalsField(view.signals)}
      ${submit(translate('code.submit'))}
      ${view.sentBy !== undefined && resendButton(language, { seconds: view.resendSeconds })}`,
    )}
    ${view.sentBy === 'mail' && mailboxLink(view.email, language)}
    ${view.sentBy === 'mail' && html`<p class="under">${translate('code.spam')}</p>`} ${view.under}
    ${view.other && html`<p class="under"><a href="${view.other.address}">${view.other.label}</a></p>`}`,
  });
}
