import { beforeEach, describe, expect, test } from '@jest/globals';

import { testPair } from '../../support/certificates.ts';
import { call, idle, messages, reset, service } from '../../support/service.ts';
import { PASSWORD } from '../pages/application.ts';
import { redeem, setUp, signIn, startUrl } from './identity-provider.ts';
import { organization, samlConnection, samlOptions } from './support.ts';

beforeEach(() => reset({ calm: true }));

interface Denied {
  error: string;
  code: string;
  connection_ids: string[];
  email: string;
  pending_authentication_token: string;
}

/** A grant of POST /user_management/authenticate, as the back end of the application. */
async function grant<T = Denied>(grant_type: string, members: Record<string, unknown>) {
  const { clientId, apiKey } = await service();
  const body = { client_id: clientId, client_secret: apiKey, grant_type, ...members };
  return call<T>('POST', '/user_management/authenticate', body, { apiKey: null });
}

const byPassword = (email: string, more: Record<string, unknown> = {}, password = PASSWORD) =>
  grant<Denied & { refresh_token: string; organization_id?: string }>('password', { email, password, ...more });

async function newUser(email: string, more: Record<string, unknown> = {}): Promise<string> {
  const body = { email, password: PASSWORD, email_verified: true, ...more };
  const made = await call<{ id: string }>('POST', '/user_management/users', body);
  expect(made.status).toBe(201);
  return made.body.id;
}

const join = (user_id: string, organization_id: string) =>
  call('POST', '/user_management/organization_memberships', { user_id, organization_id });

async function mailedCode(email: string): Promise<string> {
  await call('POST', '/user_management/magic_auth', { email });
  await idle();
  return (await messages(email))[0]?.code ?? '';
}

const required = (connection: string, email: string) => [
  400,
  { error: 'sso_required', connection_ids: [connection], email },
];

const pair = <T>({ status, body }: { status: number; body: T }) => [status, body] as const;

describe('an address at a domain whose organization requires single sign-on', () => {
  test('gets sso_required for a password and for a code, correct or not, with or without an account', async () => {
    const { connection } = await setUp();
    await newUser('ada@acme.example');
    for (const email of ['ada@acme.example', 'nobody@acme.example', 'ADA@Acme.Example']) {
      expect(pair(await byPassword(email))).toMatchObject(required(connection.id, email));
      expect(pair(await byPassword(email, {}, 'wrong'))).toMatchObject(required(connection.id, email));
      const wrong = await grant('urn:workos:oauth:grant-type:magic-auth:code', { email, code: '000000' });
      expect(pair(wrong)).toMatchObject(required(connection.id, email));
    }
    const code = await mailedCode('ada@acme.example');
    const right = { email: 'ada@acme.example', code };
    const response = await grant('urn:workos:oauth:grant-type:magic-auth:code', right);
    expect(pair(response)).toMatchObject(required(connection.id, 'ada@acme.example'));
    // The rejected attempt has not used up the code.
    await call('PUT', `/x/organizations/${connection.organization_id}/sso_policy`, { required: false });
    expect((await grant('urn:workos:oauth:grant-type:magic-auth:code', right)).status).toBe(200);
  });

  test('can use other sign-in methods if the policy is off, or if the connection is disabled or deleted', async () => {
    const { organizationId, connection } = await setUp();
    await newUser('ada@acme.example');
    expect((await byPassword('ada@acme.example')).status).toBe(400);
    await call('PUT', `/x/organizations/${organizationId}/sso_policy`, { required: false });
    expect((await byPassword('ada@acme.example')).status).toBe(200);
    await call('PUT', `/x/organizations/${organizationId}/sso_policy`, {});
    expect((await byPassword('ada@acme.example')).status).toBe(400);
    await call('PATCH', `/x/connections/${connection.id}`, { state: 'inactive' });
    expect((await byPassword('ada@acme.example')).status).toBe(200);
    await call('PATCH', `/x/connections/${connection.id}`, { state: 'active' });
    expect((await byPassword('ada@acme.example')).status).toBe(400);
    await call('DELETE', `/connections/${connection.id}`);
    expect((await byPassword('ada@acme.example')).status).toBe(200);
  });

  test('still requires it while the connection is inactive because its certificates have expired', async () => {
    const organizationId = await organization();
    const saml_options = samlOptions({ idp_signing_certs: [testPair('old', -1).cert] });
    const connection = await samlConnection(organizationId, { saml_options });
    expect(connection.state).toBe('inactive');
    expect(pair(await byPassword('ada@acme.example'))).toMatchObject(required(connection.id, 'ada@acme.example'));
  });

  test('at a domain that is pending, or verified in another environment, can use other sign-in methods', async () => {
    await newUser('ada@acme.example');
    const made = await call<{ id: string }>('POST', '/organizations', {
      name: 'Not yet',
      domain_data: [{ domain: 'acme.example', state: 'pending' }],
    });
    await samlConnection(made.body.id);
    expect((await byPassword('ada@acme.example')).status).toBe(200);
  });

  test('cannot complete a sign-in that was waiting for another step when the policy was set', async () => {
    await call('PUT', '/x/authentication/settings', { require_email_verification: true });
    await newUser('ada@acme.example', { email_verified: false });
    const waiting = await byPassword('ada@acme.example');
    expect(waiting.body.code).toBe('email_verification_required');
    await idle();
    const code = (await messages('ada@acme.example'))[0]?.code;
    const { connection } = await setUp();
    const response = await grant('urn:workos:oauth:grant-type:email-verification:code', {
      pending_authentication_token: waiting.body.pending_authentication_token,
      code,
    });
    expect(pair(response)).toMatchObject(required(connection.id, 'ada@acme.example'));
  });

  test('signs in through the connection', async () => {
    const { organizationId, connection } = await setUp();
    await newUser('ada@acme.example');
    const { code } = await signIn(await startUrl('/user_management/authorize', { connection_id: connection.id }));
    expect((await redeem(code)).body).toMatchObject({ organization_id: organizationId, authentication_method: 'SSO' });
  });
});

describe('a member of the organization with an address at another domain', () => {
  /** A member of Acme, which requires single sign-on, and of Other, which does not. */
  async function memberOfTwo() {
    const { organizationId, connection } = await setUp();
    const other = await organization('other.example', 'Other');
    const userId = await newUser('guest@elsewhere.example');
    await Promise.all([join(userId, organizationId), join(userId, other)]);
    return { organizationId, connection, other, userId };
  }

  test('must use single sign-on to choose this organization, and can choose another one', async () => {
    const { organizationId, connection, other } = await memberOfTwo();
    const waiting = await byPassword('guest@elsewhere.example');
    expect(waiting.body.code).toBe('organization_selection_required');
    const choose = (organization_id: string) =>
      grant<Denied & { organization_id: string }>('urn:workos:oauth:grant-type:organization-selection', {
        pending_authentication_token: waiting.body.pending_authentication_token,
        organization_id,
      });
    expect(pair(await choose(organizationId))).toMatchObject(required(connection.id, 'guest@elsewhere.example'));
    expect(pair(await choose(other))).toMatchObject([200, { organization_id: other }]);
  });

  test('must use it even if this is the only organization of the member', async () => {
    const { organizationId, connection } = await setUp();
    await join(await newUser('guest@elsewhere.example'), organizationId);
    const response = await byPassword('guest@elsewhere.example');
    expect(pair(response)).toMatchObject(required(connection.id, 'guest@elsewhere.example'));
  });

  test('cannot switch to it by a refresh of a session of another organization', async () => {
    const { organizationId, connection, other } = await memberOfTwo();
    const waiting = await byPassword('guest@elsewhere.example');
    const session = await grant<{ refresh_token: string }>('urn:workos:oauth:grant-type:organization-selection', {
      pending_authentication_token: waiting.body.pending_authentication_token,
      organization_id: other,
    });
    const refresh = (refresh_token: string, organization_id?: string) =>
      grant<Denied & { organization_id: string; refresh_token: string }>('refresh_token', {
        refresh_token,
        organization_id,
      });
    const moved = await refresh(session.body.refresh_token, organizationId);
    expect(pair(moved)).toMatchObject(required(connection.id, 'guest@elsewhere.example'));
    expect(pair(await refresh(session.body.refresh_token))).toMatchObject([200, { organization_id: other }]);
  });

  test('can switch a session of its connection to another organization and back', async () => {
    const { organizationId, connection } = await setUp();
    const other = await organization('other.example', 'Other');
    const url = await startUrl('/user_management/authorize', { connection_id: connection.id });
    const first = await redeem<{ user: { id: string }; refresh_token: string }>((await signIn(url)).code);
    await join(first.body.user.id, other);
    const move = (refresh_token: string, organization_id: string) =>
      grant<{ refresh_token: string; organization_id: string }>('refresh_token', { refresh_token, organization_id });
    const away = await move(first.body.refresh_token, other);
    expect(pair(away)).toMatchObject([200, { organization_id: other }]);
    expect(pair(await move(away.body.refresh_token, organizationId))).toMatchObject([
      200,
      { organization_id: organizationId },
    ]);
  });

  test("cannot switch to it with a session of another organization's connection", async () => {
    const { organizationId, connection } = await setUp();
    const evil = await organization('evil.example', 'Evil');
    const theirs = await samlConnection(evil, {
      saml_options: samlOptions({ idp_entity_id: 'https://idp.acme.example/metadata' }),
    });
    const url = await startUrl('/user_management/authorize', { connection_id: theirs.id });
    const session = await redeem<{ user: { id: string }; refresh_token: string }>(
      (await signIn(url, 'mallory@evil.example')).code,
    );
    expect(session.status).toBe(200);
    await join(session.body.user.id, organizationId);
    const moved = await grant('refresh_token', {
      refresh_token: session.body.refresh_token,
      organization_id: organizationId,
    });
    expect(pair(moved)).toMatchObject(required(connection.id, 'mallory@evil.example'));
  });

  test('cannot join it by an invitation with a password, nor at the exchange of a code', async () => {
    const { organizationId, connection } = await setUp();
    await newUser('guest@elsewhere.example');
    const invitation = await call<{ token: string; id: string }>('POST', '/user_management/invitations', {
      email: 'guest@elsewhere.example',
      organization_id: organizationId,
    });
    const response = await byPassword('guest@elsewhere.example', { invitation_token: invitation.body.token });
    expect(pair(response)).toMatchObject(required(connection.id, 'guest@elsewhere.example'));
    const after = await call<{ state: string }>('GET', `/user_management/invitations/${invitation.body.id}`);
    expect(after.body.state).toBe('pending');
  });
});
