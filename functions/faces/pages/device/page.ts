import type { PendingAuthorization } from '../../../oauth/connect/public.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { field } from '../../../kernel/pages/fields.ts';
import { form, otherwise, submit } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';
import { withoutTurns } from '../../../kernel/pages/words/direction.ts';
import { renderScope } from '../consent/page.ts';

export interface DevicePage extends SignInView {
  /** The code as typed, or from the address that the device shows. */
  code?: string | undefined;
  wrong?: string | undefined;
}

/** The page for the code of a device. */
export function devicePage(surroundings: Surroundings, view: DevicePage) {
  const { language } = surroundings;
  const { translate } = language;
  return page(surroundings, {
    title: translate('device.title'),
    lead: translate('device.lead'),
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    body: form(
      view.binding,
      view.action,
      html`${field(
        {
          name: 'user_code',
          label: translate('device.field'),
          autocomplete: 'off',
          hint: translate('device.hint'),
          value: view.code,
          wrong: view.wrong,
          first: true,
          maxLength: 20,
          more: { class: 'code', autocapitalize: 'characters', spellcheck: 'false' },
        },
        language,
      )}
      ${submit(translate('device.submit'))}`,
    ),
  });
}

export interface ApprovalPage extends SignInView {
  code: string;
  environment: string;
  /** The name of the environment's own application. */
  application: string;
  ipAddress: string | undefined;
  /** The name of the country of the address, if CloudFront reported it. */
  country: string | undefined;
  userAgent: string | undefined;
  /** The application of the device, with what it asks for; absent for one of the environment itself. */
  pending?: PendingAuthorization | undefined;
  organization?: string | undefined;
  /** The age of the device's request, and its time, formatted for the reader's language. */
  age: string;
  askedAt: string;
  /** The link for signing in as another user. */
  change: string;
}

/** The page on which a signed-in user approves or denies a device. */
export function approvalPage(surroundings: Surroundings, view: ApprovalPage) {
  const { language } = surroundings;
  const { translate } = language;
  const { pending } = view;
  const text = (value: string): Html => html`<bdi>${withoutTurns(value)}</bdi>`;
  const fact = (label: string, value: Html): Html =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  const detail = (value: string | undefined): Html =>
    html`<bdi>${value === undefined ? translate('device.not_told') : withoutTurns(value)}</bdi>`;
  return page(surroundings, {
    title: translate('device.confirm_title'),
    lead: translate('device.confirm_lead', { email: view.email ?? '' }),
    alert: view.alert,
    notice: view.notice,
    body: html`<dl class="facts">
        ${fact(translate('device.code'), html`<span class="big">${view.code}</span>`)}
        ${fact(translate('device.environment'), html`${view.environment}`)}
        ${fact(translate('device.client'), text(pending?.applicationName ?? view.application))}
        ${view.organization !== undefined && fact(translate('consent.organization'), text(view.organization))}
        ${pending?.resource !== undefined && fact(translate('consent.resource'), text(pending.resource))}
        ${fact(translate('device.agent'), detail(view.userAgent))}
        ${view.country !== undefined && fact(translate('device.place'), text(view.country))}
        ${fact(translate('device.address'), detail(view.ipAddress))}
        ${fact(translate('device.time'), html`${view.age} <small>(${view.askedAt})</small>`)}
      </dl>
      ${
        pending &&
        html`<h2>${translate('consent.scopes')}</h2>
          <ul>
            ${pending.scopes.map((scope) => renderScope(language, scope))}
          </ul>`
      }
      <p class="hint warning">${translate('device.warning')}</p>
      ${form(
        view.binding,
        view.action,
        html`<button class="button" type="submit" name="do" value="approve">${translate('device.approve')}</button>
          ${otherwise('deny', translate('device.deny'))}`,
      )}
      <p class="under"><a href="${view.change}">${translate('sign_in.change_account')}</a></p>`,
  });
}

/** The page with the result of the decision. */
export function decidedPage(surroundings: Surroundings, decision: 'approved' | 'denied') {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate(`device.${decision}_title`),
    lead: translate(`device.${decision}_lead`),
    sign: decision === 'approved' ? 'done' : 'rejected',
  });
}
