import type { HostedClaim } from '../../../oauth/agents/public.ts';
import { form, otherwise, submit } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import { withoutTurns } from '../../../kernel/pages/words/direction.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

/** The page that the link of an agent opens, before its person signs in. */
export function agentLinkPage(surroundings: Surroundings, view: SignInView) {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate('agent.title'),
    lead: translate('agent.lead'),
    alert: view.alert,
    notice: view.notice,
    body: form(view.binding, view.action, html`${submit(translate('agent.submit'))}`),
  });
}

export interface AgentPage extends SignInView {
  claim: Extract<HostedClaim, { state: 'open' }>;
  /** The organization of the sign-in. */
  organizationId: string | undefined;
  /** The time of the registration, formatted for the reader's language. */
  askedAt: string;
  /** The link for signing in as another user. */
  change: string;
}

/** The page on which a signed-in user decides about an agent, and then reads the code for it. */
export function agentPage(surroundings: Surroundings, view: AgentPage) {
  const { translate } = surroundings.language;
  const { claim } = view;
  const fact = (label: string, value: Html): Html =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  const text = (value: string): Html => html`<bdi>${withoutTurns(value)}</bdi>`;
  const chosenId = claim.organizationId ?? view.organizationId ?? onlyChoice(claim)?.id;
  const chosen = claim.organizations.find(({ id }) => id === chosenId);
  const facts = html`<dl class="facts">
    ${claim.code !== undefined && fact(translate('device.code'), html`<span class="big">${claim.code}</span>`)}
    ${fact(translate('agent.identity'), text(claim.agent))} ${fact(translate('device.time'), html`${view.askedAt}`)}
    ${fact(translate('consent.account'), text(view.email ?? ''))}
    ${chosen !== undefined && fact(translate('consent.organization'), text(chosen.name))}
  </dl>`;
  const isChoice = chosen === undefined && claim.organizations.length > 1;
  const permissions =
    claim.permissions.length === 0
      ? undefined
      : html`<h2>${translate('consent.scopes')}</h2>
          <ul>
            ${claim.permissions.map((name) => html`<li>${text(name)}</li>`)}
          </ul>`;
  const approve = isChoice
    ? html`<p>${translate('agent.choose')}</p>
        ${claim.organizations.map(
          ({ id, name }) =>
            html`<button class="button quiet choice" type="submit" name="organization_id" value="${id}">
              ${text(name)}<span aria-hidden="true">›</span>
            </button>`,
        )}`
    : html`<button class="button" type="submit" name="do" value="approve">${translate('agent.approve')}</button>`;
  const hasCode = claim.code !== undefined;
  return page(surroundings, {
    title: translate(hasCode ? 'agent.code_title' : 'agent.confirm_title'),
    lead: translate(hasCode ? 'agent.code_lead' : 'agent.confirm_lead', { email: view.email ?? '' }),
    alert: view.alert,
    notice: view.notice,
    body: html`${facts} ${hasCode ? undefined : permissions}
      <p class="hint warning">${translate('agent.warning')}</p>
      ${form(
        view.binding,
        view.action,
        html`${hasCode ? undefined : approve} ${otherwise('deny', translate('device.deny'))}`,
      )}
      <p class="under"><a href="${view.change}">${translate('sign_in.change_account')}</a></p>`,
  });
}

const onlyChoice = ({ organizations }: AgentPage['claim']) =>
  organizations.length === 1 ? organizations[0] : undefined;

/** The last page: the agent was connected, declined, or is for another user. */
export function agentEndPage(
  surroundings: Surroundings,
  state: 'done' | 'denied' | 'other' | 'ended',
  change?: string,
) {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate(`agent.${state}_title`),
    lead: translate(`agent.${state}_lead`),
    sign: state === 'done' ? 'done' : 'rejected',
    body:
      change === undefined
        ? undefined
        : html`<p class="under"><a href="${change}">${translate('sign_in.change_account')}</a></p>`,
  });
}
