import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset, sdk, service } from '../../support/service.ts';
import {
  authenticate,
  codeFor,
  mailedCode,
  makeUser,
  PASSWORD,
  registerRedirectUri,
  settings,
  vendor,
} from './inside.ts';

beforeEach(async () => {
  await reset();
});

const clientId = async () => (await service()).clientId;

describe('an invitation', () => {
  const invite = async (email: string, organizationId?: string): Promise<string> => {
    const { body } = await call('POST', '/user_management/invitations', { email, organization_id: organizationId });
    return String(body.token);
  };

  test('is accepted by the sign-in, and makes the user a member', async () => {
    const id = await makeUser();
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const invitationToken = await invite('ada@example.com', String(organization.id));
    const response = await sdk().userManagement.authenticateWithPassword({
      clientId: await clientId(),
      email: 'ada@example.com',
      password: PASSWORD,
      invitationToken,
    });
    expect(response).toMatchObject({ user: { id }, organizationId: organization.id });
    const again = await authenticate({
      grant_type: 'password',
      email: 'ada@example.com',
      password: PASSWORD,
      invitation_token: invitationToken,
    });
    expect(again).toMatchObject({ status: 400, body: { error: 'invitation_invalid' } });
  });

  test('is valid only for its own address, and can also be accepted by the exchange of a code', async () => {
    const id = await makeUser();
    await registerRedirectUri();
    const theirs = await invite('somebody.else@example.com');
    const code = await codeFor(id);
    const rejected = await authenticate({ grant_type: 'authorization_code', code, invitation_token: theirs });
    expect(rejected).toMatchObject({ status: 400, body: { error: 'invitation_cannot_be_used_for_email' } });
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const own = await invite('ada@example.com', String(organization.id));
    const response = await authenticate({ grant_type: 'authorization_code', code, invitation_token: own });
    expect(response).toMatchObject({ status: 200, body: { organization_id: organization.id } });
  });

  test('proves nothing of the mailbox of an account that exists: the sign-in asks for a mailed code', async () => {
    const id = await makeUser({ emailVerified: false });
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const invitation_token = await invite('ada@example.com', String(organization.id));
    const asked = await authenticate({
      grant_type: 'password',
      email: 'ada@example.com',
      password: PASSWORD,
      invitation_token,
    });
    expect(asked).toMatchObject({ status: 403, body: { code: 'email_verification_required' } });
    const response = await authenticate({
      grant_type: vendor('email-verification:code'),
      pending_authentication_token: asked.body.pending_authentication_token,
      code: await mailedCode('ada@example.com'),
    });
    expect(response).toMatchObject({ status: 200, body: { user: { id }, organization_id: organization.id } });
  });

  test('that is accepted by the exchange of a code proves no address either, and the password stays valid', async () => {
    const id = await makeUser({ emailVerified: false });
    await settings({ require_email_verification: false });
    await registerRedirectUri();
    const code = await codeFor(id);
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const own = await invite('ada@example.com', String(organization.id));
    const response = await authenticate({ grant_type: 'authorization_code', code, invitation_token: own });
    expect(response).toMatchObject({ status: 200, body: { user: { email_verified: false } } });
    const again = await authenticate({ grant_type: 'password', email: 'ada@example.com', password: PASSWORD });
    expect(again).toMatchObject({ status: 200, body: { organization_id: organization.id } });
  });

  test('signs in a new user even if sign-up is disabled', async () => {
    await settings({ sign_up: false });
    const invitationToken = await invite('new@example.com');
    const { code } = await sdk().userManagement.createMagicAuth({ email: 'new@example.com', invitationToken });
    const response = await sdk().userManagement.authenticateWithMagicAuth({
      clientId: await clientId(),
      email: 'new@example.com',
      code,
      invitationToken,
    });
    expect(response.user.email).toBe('new@example.com');
  });
});
