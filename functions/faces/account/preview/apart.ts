/** Every page of the account with sample values, which a deployed function loads as a file of its own with the first preview (`lib/stack/apart.ts`). */
import { confirmPage } from '../confirm/operations.ts';
import { describeAccount } from '../overview/operations.ts';
import type { AccountPage } from '../page/page-operations.ts';
import { renderPage } from '../page/render.ts';
import { authenticatorPage } from '../sections/authenticator.ts';
import { connectedAccountsPage } from '../sections/connected-accounts.ts';
import { dataPage } from '../sections/data.ts';
import { deletionPage } from '../sections/deletion.ts';
import { emailPage } from '../sections/email.ts';
import { namePage } from '../sections/name.ts';
import { organizationsPage } from '../sections/organizations.ts';
import { passkeysPage } from '../sections/passkeys.ts';
import { passwordPage } from '../sections/password.ts';
import { recoveryCodesPage } from '../sections/recovery-codes.ts';
import { sessionsPage } from '../sections/sessions.ts';
import { accountBinding, type Visit } from '../session/visit.ts';
import { AccountSettings } from '../settings.ts';
import { translateFor } from '../words/index.ts';
import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { AT, EMAIL, type Sample } from '../../../kernel/pages/sample.ts';

const USER_AGENT = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

/** The user’s records in the samples, by the names under which a visit keeps what it has read. */
const LOADED: Readonly<Record<string, unknown>> = {
  password: true,
  passkeys: [{ id: 'passkey_sample', name: 'MacBook', createdAt: AT, lastUsedAt: AT }],
  'all factors': [{ id: 'auth_factor_sample', type: 'totp', issuer: 'Acme', createdAt: AT, provenAt: AT }],
  factors: [],
  'recovery codes': 8,
  sessions: [{ id: 'session_sample', userAgent: USER_AGENT, ipAddress: '203.0.113.7', authenticatedAt: AT }],
  providers: [],
  accounts: [{ id: 'identity_sample', provider: 'GoogleOAuth', name: 'Google', createdAt: AT, isUsable: true }],
  members: ['Acme', 'Globex'].map((name) => ({
    membership: { id: `om_${name}`, status: 'active' },
    organization: { id: name, name, presented: { domains: [] } },
  })),
  governors: [],
  sso: undefined,
};

/** A visit of a user who does not exist. The samples create no challenge of a passkey, so that showing one writes nothing. */
async function makeVisit(surroundings: Surroundings, environmentId: string): Promise<Visit> {
  const user = {
    environmentId,
    id: 'user_sample',
    createdAt: AT,
    email: EMAIL,
    emailVerified: true,
    name: 'Ada Lovelace',
  };
  return {
    environmentId,
    surroundings,
    translate: await translateFor(surroundings),
    request: {
      id: 'sample',
      method: 'GET',
      path: '/',
      rawQuery: '',
      headers: {},
      cookies: [],
      sourceIp: '203.0.113.7',
      userAgent: USER_AGENT,
      rawBody: '',
    },
    options: AccountSettings.parse({ sections: { deletion: true } }),
    user: user as UserRecord,
    session: undefined,
    browser: undefined,
    binding: accountBinding(environmentId),
    cookie: 'sample',
    verdict: undefined,
    impersonator: undefined,
    signIn: signInSettings.schema.parse({}),
    origin: { client: 'public', ipAddress: '203.0.113.7', userAgent: USER_AGENT },
    loaded: new Map(Object.entries(LOADED).map(([name, value]) => [name, Promise.resolve(value)])),
  };
}

const section = (own: AccountPage, title: string): Sample => ({
  name: `account-${own.name}`,
  title,
  render: async (surroundings, environmentId) => {
    const visit = await makeVisit(surroundings, environmentId);
    return renderPage(visit, await own.show(visit));
  },
});

/** Every page of the account, of a user with one of each thing. */
export const ACCOUNT_PAGES: readonly Sample[] = [
  {
    name: 'account',
    title: 'Account',
    render: async (surroundings, environmentId) => {
      const visit = await makeVisit(surroundings, environmentId);
      return renderPage(visit, await describeAccount(visit), { isOverview: true });
    },
  },
  section(confirmPage, 'Proof of identity'),
  section(namePage, 'Name'),
  section(emailPage, 'Email address'),
  section(passwordPage, 'Password'),
  section(passkeysPage, 'Passkeys'),
  section(authenticatorPage, 'Two-step verification'),
  section(recoveryCodesPage, 'Recovery codes'),
  section(sessionsPage, 'Sessions and devices'),
  section(connectedAccountsPage, 'Connected accounts'),
  section(organizationsPage, 'Organizations'),
  section(dataPage, 'Data'),
  section(deletionPage, 'Deletion'),
];
