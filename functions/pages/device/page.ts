import { type Html, html } from '../../kernel/pages/html.ts';
import { field } from '../../kernel/pages/fields.ts';
import { form, otherwise, submit } from '../../kernel/pages/form.ts';
import { page } from '../../kernel/pages/layout.ts';
import type { Surroundings } from '../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';
import { withoutTurns } from '../../kernel/pages/words/direction.ts';

export interface DevicePage extends SignInView {
  /** The code as typed, or from the address that the device shows. */
  code?: string | undefined;
  wrong?: string | undefined;
}

/** The page for the code of a device. */
export function devicePage(surroundings: Surroundings, view: DevicePage) {
  const { language } = surroundings;
  const { say } = language;
  return page(surroundings, {
    title: say('device.title'),
    lead: say('device.lead'),
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    body: form(
      view.binding,
      view.action,
      html`${field(
        {
          name: 'user_code',
          label: say('device.field'),
          autocomplete: 'off',
          hint: say('device.hint'),
          value: view.code,
          wrong: view.wrong,
          first: true,
          maxLength: 20,
          more: { class: 'code', autocapitalize: 'characters', spellcheck: 'false' },
        },
        language,
      )}
      ${submit(say('device.submit'))}`,
    ),
  });
}

export interface ApprovalPage extends SignInView {
  code: string;
  environment: string;
  clientId: string;
  ipAddress: string | undefined;
  userAgent: string | undefined;
  /** The time of the device's request, formatted for the reader's language. */
  askedAt: string;
  /** The link for signing in as another user. */
  change: string;
}

/** The page on which a signed-in user approves or denies a device. */
export function approvalPage(surroundings: Surroundings, view: ApprovalPage) {
  const { say } = surroundings.language;
  const fact = (label: string, value: Html): Html =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  const told = (value: string | undefined): Html =>
    html`<bdi>${value === undefined ? say('device.not_told') : withoutTurns(value)}</bdi>`;
  return page(surroundings, {
    title: say('device.confirm_title'),
    lead: say('device.confirm_lead', { email: view.email ?? '' }),
    alert: view.alert,
    notice: view.notice,
    body: html`<dl class="facts">
        ${fact(say('device.code'), html`<span class="big">${view.code}</span>`)}
        ${fact(say('device.environment'), html`${view.environment}`)}
        ${fact(say('device.client'), html`${view.clientId}`)} ${fact(say('device.agent'), told(view.userAgent))}
        ${fact(say('device.address'), told(view.ipAddress))} ${fact(say('device.time'), html`${view.askedAt}`)}
      </dl>
      <p class="hint warning">${say('device.warning')}</p>
      ${form(
        view.binding,
        view.action,
        html`<button class="button" type="submit" name="do" value="approve">${say('device.approve')}</button>
          ${otherwise('deny', say('device.deny'))}`,
      )}
      <p class="under"><a href="${view.change}">${say('sign_in.change_account')}</a></p>`,
  });
}

/** The result of the decision. */
export function decidedPage(surroundings: Surroundings, decision: 'approved' | 'denied') {
  const { say } = surroundings.language;
  return page(surroundings, {
    title: say(`device.${decision}_title`),
    lead: say(`device.${decision}_lead`),
    sign: decision === 'approved' ? 'done' : 'refused',
  });
}
