import { testPair } from '../../support/certificates.ts';
import { advance, call, idle } from '../../support/service.ts';
import { setUp } from '../sso/identity-provider.ts';
import { organization, samlConnection, samlOptions } from '../sso/support.ts';
import { newMembership, USERS } from '../user-management/users.ts';
import { settings } from './inside.ts';
import { EMAIL, ada, withoutPassword, respond, type Reason } from './explaining.ts';

/** The reasons of accounts, methods and single sign-on. */
export const ACCOUNT_REASONS: readonly Reason[] = [
  ['account_missing', 'stops', true, async () => ({ address: 'nobody@acme.example' })],
  [
    'account_deleted',
    'stops',
    true,
    async () => {
      const { id } = await ada();
      await call('DELETE', `${USERS}/${id}`);
      return id;
    },
  ],
  [
    'sign_up_disabled',
    'notice',
    false,
    async () => {
      await settings({ sign_up: false });
      return { address: EMAIL };
    },
  ],
  [
    'invitation_pending',
    'asks',
    false,
    async () => {
      await call('POST', '/user_management/invitations', { email: EMAIL });
      return { address: 'ADA@acme.example' };
    },
  ],
  [
    'invitation_revoked',
    'notice',
    false,
    async () => {
      const { body } = await call('POST', '/user_management/invitations', { email: EMAIL });
      await call('POST', `/user_management/invitations/${String(body.id)}/revoke`);
      return { address: EMAIL };
    },
  ],
  [
    'invitation_expired',
    'notice',
    false,
    async () => {
      await call('POST', '/user_management/invitations', { email: EMAIL, expires_in_days: 1 });
      await advance(2 * 86_400);
      return { address: EMAIL };
    },
  ],
  [
    'password_disabled',
    'notice',
    false,
    async () => {
      await settings({ methods: { password: false } });
      return (await ada()).id;
    },
  ],
  ['password_missing', 'notice', false, async () => (await withoutPassword()).id],
  [
    'magic_auth_disabled',
    'notice',
    false,
    async () => {
      await settings({ methods: { magic_auth: false } });
      return (await ada()).id;
    },
  ],
  [
    'no_usable_method',
    'stops',
    true,
    async () => {
      await settings({ methods: { magic_auth: false } });
      return (await withoutPassword()).id;
    },
  ],
  [
    'sso_required_by_domain',
    'asks',
    false,
    async () => {
      await setUp();
      return (await ada()).id;
    },
  ],
  [
    'sso_required_by_organization',
    'asks',
    false,
    async () => {
      const { organizationId } = await setUp('other.example');
      const user = await ada();
      await newMembership(user.id, organizationId);
      return user.id;
    },
  ],
  [
    'connection_inactive',
    'notice',
    false,
    async () => {
      const { connection } = await setUp();
      await call('PATCH', `/x/connections/${connection.id}`, { state: 'inactive' });
      return (await ada()).id;
    },
  ],
  [
    'connection_certificates_expired',
    'stops',
    true,
    async () => {
      await samlConnection(await organization(), {
        saml_options: samlOptions({ idp_signing_certs: [testPair('soon', 2).cert] }),
      });
      await advance(3 * 86_400);
      await idle();
      await advance(86_400);
      return (await ada()).id;
    },
  ],
  [
    'sso_attempt_pending',
    'notice',
    false,
    async () => {
      const { connection } = await setUp();
      await respond(connection.id);
      return (await ada()).id;
    },
  ],
];
