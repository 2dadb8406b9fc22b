import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSurroundings } from '../../../kernel/pages/surroundings.ts';
import { type FormBinding, form, otherwise } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { readSource } from '../../../kernel/pages/headers.ts';
import { withoutTurns } from '../../../kernel/pages/words/direction.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { loginFlow } from '../../modules/sign-in-flows/public.ts';
import { connections } from '../connection/entity.ts';
import { samlIn } from '../connection/rules.ts';
import type { SsoSignInRecord } from './entity.ts';

/** The host of an address, or the address itself if it has none. */
const readHost = (address = ''): string => (URL.canParse(address) ? new URL(address).host || address : address);

/**
 * The page on which a person confirms the account of an unsolicited response. It names the account, the identity provider
 * and the application, so that a person notices the account of another.
 * @param binding binds the form to this browser; its subject is the state
 * @returns undefined if the sign-in, or its connection, no longer exists
 */
export async function findConsentPage(
  { environmentId, connectionId }: SsoSignInRecord,
  { flowId, email }: { flowId: string; email: string },
  binding: FormBinding,
  request: IncomingRequest,
) {
  const [flow, record, surroundings] = await awaitAll([
    loginFlow(environmentId, flowId),
    connections.get(environmentId, connectionId),
    findSurroundings(environmentId, request),
  ]);
  if (flow === undefined || record === undefined) return undefined;
  const { translate } = surroundings.language;
  const fact = (label: string, value: string): Html =>
    html`<div>
      <dt>${label}</dt>
      <dd><bdi>${withoutTurns(value)}</bdi></dd>
    </div>`;
  const targets = [readSource(flow.redirectUri)].filter((source) => source !== undefined);
  return page(surroundings, {
    title: translate('sso_consent.title'),
    lead: translate('sso_consent.lead'),
    targets,
    body: html`<dl class="facts">
        ${fact(translate('consent.account'), email)}
        ${fact(translate('sso_consent.provider'), `${record.name} (${readHost(samlIn(record)?.idpSsoUrl)})`)}
        ${fact(translate('consent.application'), readHost(flow.redirectUri))}
      </dl>
      <p class="hint warning">${translate('sso_consent.warning')}</p>
      ${form(
        binding,
        '/x/sso/continue',
        html`<input type="hidden" name="state" value="${binding.subject}" />
          <button class="button" type="submit" name="do" value="approve">${translate('sign_in.continue')}</button>
          ${otherwise('deny', translate('sso_consent.deny'))}`,
      )}`,
  });
}
