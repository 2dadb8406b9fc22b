import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { presentFactor } from '../../../proofs/mfa/public.ts';
import { findRelyingParty, presentPasskey } from '../../../proofs/passkeys/public.ts';
import { presentUser } from '../../../tenancy/modules/users/public.ts';
import { findMembers } from '../page/governance.ts';
import { stageNotice } from '../page/notice.ts';
import { type AccountPage, accountPage } from '../page/page-operations.ts';
import { accountForm } from '../page/render.ts';
import { findConnectedAccounts, ownsPassword } from '../page/sign-in-methods.ts';
import type { Visit } from '../session/visit.ts';
import { findOwnFactors } from './authenticator.ts';
import { findOwnPasskeys } from '../session/proof.ts';
import { findOwnSessions } from './sessions.ts';

/** The data that the service has about a user, without secrets. */
async function collectData(visit: Visit): Promise<Record<string, unknown>> {
  const [password, passkeys, factors, accounts, members, sessions] = await awaitAll([
    ownsPassword(visit),
    findOwnPasskeys(visit),
    findOwnFactors(visit),
    findConnectedAccounts(visit),
    findMembers(visit),
    findOwnSessions(visit),
  ]);
  return {
    exported_at: clock.timestamp(),
    user: presentUser(visit.user),
    has_password: password,
    authentication_factors: factors.map(presentFactor),
    passkeys: passkeys.map((passkey) => presentPasskey(passkey, findRelyingParty()?.id)),
    connected_accounts: accounts.map(({ provider, createdAt }) => ({ provider, created_at: createdAt })),
    organization_memberships: members.map(({ membership, organization }) => ({
      id: membership.id,
      organization_id: organization.id,
      organization_name: organization.name,
      status: membership.status,
      roles: membership.roles,
      created_at: membership.createdAt,
    })),
    sessions: sessions.map((session) => ({
      id: session.id,
      auth_method: session.authMethod,
      ip_address: session.ipAddress ?? null,
      user_agent: session.userAgent ?? null,
      organization_id: session.organizationId ?? null,
      authenticated_at: session.authenticatedAt,
      expires_at: session.endsAt,
    })),
  };
}

export const dataPage: AccountPage = {
  name: 'data',
  section: 'data',
  summary: 'The page on which the user downloads their data as JSON',
  emits: [],
  show: async (visit) => ({
    title: visit.translate('data.title'),
    lead: visit.translate('data.lead'),
    body: accountForm(visit, 'data', html`${submit(visit.translate('data.submit'))}`),
  }),
  async act(visit, _sent, unit) {
    await stageNotice(unit, visit, 'data_downloaded');
    return {
      ending: {
        body: `${JSON.stringify(await collectData(visit), undefined, 2)}\n`,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': 'attachment; filename="account.json"',
        },
      },
    };
  },
};

export const dataOperations = accountPage(dataPage);
