import { awaitAll } from '../../../kernel/concurrency.ts';
import { formatDateTime } from '../../../kernel/locale.ts';
import { html, type Html } from '../../../kernel/pages/html.ts';
import { stageRemovalOfIdentities } from '../../../proofs/modules/credentials/public.ts';
import { touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import { stageNotice } from '../page/notice.ts';
import { type AccountPage, accountPage, FormRejection } from '../page/page-operations.ts';
import { accountForm, hidden } from '../page/render.ts';
import { canSignInWithout, type ConnectedAccount, findConnectedAccounts } from '../page/sign-in-methods.ts';
import type { Visit } from '../session/visit.ts';

async function accountItem(visit: Visit, { id, name, createdAt }: ConnectedAccount): Promise<Html> {
  const { translate, surroundings } = visit;
  const when = formatDateTime(surroundings.language.locale, createdAt);
  return html`<li>
    <strong>${name}</strong>
    <p class="hint">${translate('added', { when })}</p>
    ${
      (await canSignInWithout(visit, id))
        ? html`<div class="actions">
            ${accountForm(
              visit,
              'connected_accounts',
              html`${hidden('id', id)}
                <button
                  class="button quiet"
                  type="submit"
                  aria-label="${translate('connected_accounts.remove_of', { provider: name })}"
                >
                  ${translate('connected_accounts.remove')}
                </button>`,
            )}
          </div>`
        : html`<p class="hint">${translate('connected_accounts.last')}</p>`
    }
  </li>`;
}

export const connectedAccountsPage: AccountPage = {
  name: 'connected_accounts',
  section: 'connected_accounts',
  summary: 'The page with the user’s accounts at sign-in providers, which can be disconnected',
  emits: [],
  async show(visit) {
    const { translate } = visit;
    const accounts = await findConnectedAccounts(visit);
    return {
      title: translate('connected_accounts.title'),
      lead: translate(accounts.length === 0 ? 'connected_accounts.none' : 'connected_accounts.lead'),
      body:
        accounts.length === 0
          ? undefined
          : html`<ul class="records">
              ${await awaitAll(accounts.map((account) => accountItem(visit, account)))}
            </ul>`,
    };
  },
  async act(visit, { id = '' }, unit) {
    const { environmentId, user, translate } = visit;
    const account = (await findConnectedAccounts(visit)).find((own) => own.id === id);
    if (account === undefined) return { to: 'connected_accounts' };
    if (!(await canSignInWithout(visit, id))) throw new FormRejection(translate('connected_accounts.last'));
    // Two removals conflict at the user's row, so that the second one sees what the first has left.
    touchUserVersion(unit, user);
    await stageRemovalOfIdentities(unit, environmentId, user.id, { onlyId: id });
    await stageNotice(unit, visit, 'connected_account_removed', account.name);
    return { to: 'connected_accounts', done: 'done.connected_account_removed' };
  },
};

export const connectedAccountsOperations = accountPage(connectedAccountsPage);
