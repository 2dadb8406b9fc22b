import type { ConsentOption, PendingAuthorization, Receiver, RequestedScope } from '../../../oauth/connect/public.ts';
import { form, otherwise } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import { withoutTurns } from '../../../kernel/pages/words/direction.ts';
import type { Language } from '../../../kernel/pages/words/index.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface ConsentPage extends SignInView {
  pending: PendingAuthorization;
  /** The questions of the environment's own application. */
  options: readonly ConsentOption[];
  receiver: Receiver;
  organization: string | undefined;
  /** The link for signing in as another user. */
  change: string;
}

const WORDS = {
  openid: 'consent.scope_openid',
  profile: 'consent.scope_profile',
  email: 'consent.scope_email',
  offline_access: 'consent.scope_offline',
} as const;

const isWord = (slug: string): slug is keyof typeof WORDS => slug in WORDS;

/** The description of a scope: a text of the pages for a scope of OpenID Connect, the permission's own for a permission. */
export function renderScope({ translate }: Language, { slug, name, description }: RequestedScope): Html {
  if (isWord(slug)) return html`<li>${translate(WORDS[slug])}</li>`;
  const more =
    description === undefined ? undefined : html`<br /><small><bdi>${withoutTurns(description)}</bdi></small>`;
  return html`<li><bdi>${withoutTurns(name ?? slug)}</bdi>${more}</li>`;
}

/** Renders an option of the consent page with its choices. None is marked, so browsers select the first. */
const renderOption = ({ label, choices }: ConsentOption, at: number): Html =>
  html`<div class="field">
    <label for="option_${at}"><bdi>${withoutTurns(label)}</bdi></label>
    <select id="option_${at}" name="option_${at}" required>
      ${choices.map(({ value, label: name }) => html`<option value="${value}">${withoutTurns(name)}</option>`)}
    </select>
  </div>`;

/** The description of the receiver, so that a user notices an address that does not belong to the application. */
function renderReceiver({ translate }: Language, receiver: Receiver): Html {
  if (receiver.kind === 'computer') return html`${translate('consent.receiver_computer')}`;
  if (receiver.kind === 'app') return html`${translate('consent.receiver_app')} <bdi>${receiver.scheme}:</bdi>`;
  return html`<bdi>${receiver.host}</bdi>`;
}

/** The page on which a signed-in user decides what an application may do. */
export function consentPage(surroundings: Surroundings, view: ConsentPage) {
  const { language } = surroundings;
  const { translate } = language;
  const { pending } = view;
  const fact = (label: string, value: Html): Html =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  const text = (value: string): Html => html`<bdi>${withoutTurns(value)}</bdi>`;
  const name = pending.isUnverified
    ? html`${text(pending.applicationName)} <strong>${translate('consent.unverified')}</strong>`
    : text(pending.applicationName);
  return page(surroundings, {
    title: translate('consent.title'),
    lead: translate('consent.lead'),
    alert: view.alert,
    notice: view.notice,
    targets: view.targets,
    body: html`<dl class="facts">
        ${fact(translate('consent.application'), name)}
        ${pending.documentHost !== undefined && fact(translate('consent.described_by'), text(pending.documentHost))}
        ${fact(translate('consent.receiver'), renderReceiver(language, view.receiver))}
        ${fact(translate('consent.account'), text(view.email ?? ''))}
        ${view.organization !== undefined && fact(translate('consent.organization'), text(view.organization))}
        ${pending.resource !== undefined && fact(translate('consent.resource'), text(pending.resource))}
      </dl>
      <h2>${translate('consent.scopes')}</h2>
      <ul>
        ${pending.scopes.map((scope) => renderScope(language, scope))}
      </ul>
      ${pending.isUnverified && html`<p class="hint warning">${translate('consent.warning')}</p>`}
      ${form(
        view.binding,
        view.action,
        html`${view.options.map(renderOption)}
          <button class="button" type="submit" name="do" value="approve">${translate('consent.approve')}</button>
          ${otherwise('deny', translate('consent.deny'))}`,
      )}
      <p class="under"><a href="${view.change}">${translate('sign_in.change_account')}</a></p>`,
  });
}
