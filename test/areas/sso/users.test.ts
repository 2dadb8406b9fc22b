import { beforeEach, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { call, idle, now, reset } from '../../support/service.ts';
import { redeem, setUp, signIn, startUrl } from './identity-provider.ts';
import { eventsNamed } from './support.ts';

beforeEach(() => reset());

interface Granted {
  user: { id: string; email: string; email_verified: boolean; first_name: string };
  organization_id: string;
  authentication_method: string;
}

test('a user with an address in the organization’s domain gets an account and an active membership at the first sign-in, and is later found by the id at the provider', async () => {
  const { organizationId, connection } = await setUp();
  const url = await startUrl('/user_management/authorize', { connection_id: connection.id });
  const { code } = await signIn(url);
  const { status, body } = await redeem<Granted>(code);
  expect([status, body]).toMatchObject([
    200,
    {
      user: { email: 'ada@acme.example', email_verified: true, first_name: 'Ada', last_name: 'Lovelace' },
      organization_id: organizationId,
      authentication_method: 'SSO',
    },
  ]);
  const byOrganization = await startUrl('/user_management/authorize', { organization_id: organizationId });
  const renamed = { attributes: { id: 'id of ada@acme.example', email: 'renamed@acme.example', firstName: 'Augusta' } };
  const again = await redeem<Granted>((await signIn(byOrganization, 'renamed@acme.example', renamed)).code);
  expect(again.body.user).toMatchObject({ id: body.user.id, email: 'ada@acme.example', first_name: 'Augusta' });
  expect((await call('GET', `/user_management/users/${body.user.id}/identities`)).body).toEqual([]);
  await idle();
  const events = await eventsNamed(
    'user.created',
    'organization_membership.created',
    'session.created',
    'authentication.sso_succeeded',
  );
  expect(events.map(({ event }) => event).toSorted()).toEqual([
    'authentication.sso_succeeded',
    'authentication.sso_succeeded',
    'organization_membership.created',
    'session.created',
    'session.created',
    'user.created',
  ]);
});

test('an existing user is linked without a code if the organization owns the domain', async () => {
  const { connection } = await setUp();
  const made = await call<{ id: string }>('POST', '/user_management/users', { email: 'ada@acme.example' });
  const { code } = await signIn(await startUrl('/user_management/authorize', { connection_id: connection.id }));
  expect((await redeem<Granted>(code)).body.user).toMatchObject({ id: made.body.id, email_verified: true });
});

test('an invited user of another domain becomes a member through the connection', async () => {
  const { organizationId, connection } = await setUp();
  const invitation = await call<{ token: string }>('POST', '/user_management/invitations', {
    email: 'guest@elsewhere.example',
    organization_id: organizationId,
  });
  const query = { connection_id: connection.id, invitation_token: invitation.body.token };
  const { code } = await signIn(await startUrl('/user_management/authorize', query), 'guest@elsewhere.example');
  expect((await redeem<Granted>(code)).body).toMatchObject({
    user: { email: 'guest@elsewhere.example' },
    organization_id: organizationId,
  });
});

test("a session has the time of the provider's authentication as its auth_time", async () => {
  const { connection } = await setUp();
  const authnInstant = Math.floor((await now()) / 1_000) * 1_000 - 1_800_000;
  const url = await startUrl('/user_management/authorize', { connection_id: connection.id });
  const { body } = await redeem<{ access_token: string }>((await signIn(url, undefined, { authnInstant })).code);
  const [, claims = ''] = body.access_token.split('.');
  const { auth_time } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { auth_time: number };
  expect(auth_time).toBe(authnInstant / 1_000);
});

test('an inactive member is not signed in', async () => {
  const { organizationId, connection } = await setUp();
  const url = await startUrl('/user_management/authorize', { connection_id: connection.id });
  const { body } = await redeem<Granted>((await signIn(url)).code);
  const query = `user_id=${body.user.id}&organization_id=${organizationId}`;
  await idle();
  const found = await call<{ data: { id: string }[] }>('GET', `/user_management/organization_memberships?${query}`);
  await call('PUT', `/user_management/organization_memberships/${found.body.data[0]?.id ?? ''}/deactivate`);
  expect(await signIn(url)).toMatchObject({ error: 'access_denied' });
});

test('an unknown or inactive connection returns invalid_connection to the application', async () => {
  const { organizationId, connection } = await setUp();
  await call('PATCH', `/x/connections/${connection.id}`, { state: 'inactive' });
  const selectors = [
    { connection_id: 'conn_unknown' },
    { connection_id: connection.id },
    { organization_id: 'org_unknown' },
    { organization_id: organizationId },
  ];
  for (const selector of selectors) {
    const page = await browser().open(await startUrl('/user_management/authorize', selector));
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_connection');
  }
});
