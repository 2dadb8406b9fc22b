import { createHash } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { agree, browser } from '../../support/browser.ts';
import { addFault, call, clearFaults, idle, reset, sdk, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { readEvents, newOrganization, newUser } from '../user-management/users.ts';
import { account, authorize, connect, EVENTS, integrate, SLUG, vend } from './connection.ts';
import { type ThirdParty, thirdParty } from './third-party.ts';

const EMAIL = 'ada@example.com';

let party: ThirdParty;
let user: string;

beforeEach(async () => {
  await reset();
  party = await thirdParty();
  party.open([await integrate(party)]);
  user = (await newUser({ email: EMAIL })).id;
  // Providers are listed by an index, also while events wait.
  await idle();
});

/** Signs the owner of the address in with a mailed code, which verifies it. */
async function prove(): Promise<void> {
  const { code } = await sdk().userManagement.createMagicAuth({ email: EMAIL });
  const { clientId } = await service();
  const signedIn = await sdk().userManagement.authenticateWithMagicAuth({ clientId, code, email: EMAIL });
  expect(signedIn.user).toMatchObject({ id: user, emailVerified: true });
}

const providers = async (): Promise<unknown> =>
  (await call<{ data: unknown[] }>('GET', `/user_management/users/${user}/data_providers`)).body.data;

const names = async () => (await readEvents(...EVENTS)).map(({ event }) => event);

describe('an account that was connected before its user’s address was verified', () => {
  test('is disconnected by the first verification, with events', async () => {
    await connect(user);
    expect((await vend(user)).body.active).toBe(true);
    await prove();
    await idle();
    expect((await vend(user)).body).toEqual({ active: false, error: 'not_installed' });
    expect((await account(user)).status).toBe(404);
    expect((await names()).slice(-2).sort()).toEqual([
      'pipes.account_connection.disconnected',
      'pipes.connected_account.disconnected',
    ]);
  });

  test('is not usable, shown or listed after the verification, even before its row is removed', async () => {
    await connect(user);
    const fault = await addFault({ target: 'bus', kind: 'unavailable' });
    await prove();
    expect((await vend(user)).body).toEqual({ active: false, error: 'not_installed' });
    expect((await account(user)).status).toBe(404);
    expect(await providers()).toMatchObject([{ connected_account: null }]);
    const path = `/user_management/users/${user}/connected_accounts/${SLUG}`;
    expect((await call('DELETE', path)).status).toBe(404);
    await clearFaults(fault.id);
  });

  test('can be replaced at once by an account of the verified user', async () => {
    await connect(user);
    const fault = await addFault({ target: 'bus', kind: 'unavailable' });
    await prove();
    expect((await connect(user)).text).toContain('is connected');
    const own = (await account(user)).body.id;
    await clearFaults(fault.id);
    await idle();
    expect((await account(user)).body.id).toBe(own);
    expect((await vend(user)).body.active).toBe(true);
    expect((await names()).filter((name) => name.endsWith('disconnected'))).toHaveLength(2);
  });

  test('stays connected if the application itself marks the address as verified', async () => {
    await connect(user);
    await call('PUT', `/user_management/users/${user}`, { email_verified: true });
    await idle();
    expect((await vend(user)).body.active).toBe(true);
  });
});

describe('an authorization that was started before the first verification', () => {
  test('is rejected at the callback', async () => {
    const person = browser();
    const start = await person.open(await authorize(user));
    await prove();
    expect((await agree(person, start)).text).toContain('was not connected');
    expect((await vend(user)).body).toEqual({ active: false, error: 'not_installed' });
    expect(party.of('authorization_code')).toHaveLength(0);
    expect((await names()).filter((name) => name.endsWith('connection_failed'))).toHaveLength(2);
  });

  test('is rejected when the user confirms it', async () => {
    await call('PUT', '/x/pipes/settings', { authorization_start: 'confirm' });
    const url = await authorize(user);
    await prove();
    expect((await browser().open(url)).text).toContain('This link has expired');
  });

  test('is rejected for an organization', async () => {
    const organization_id = await newOrganization();
    await addMembership(user, organization_id);
    const root = { provider: SLUG, ownership: 'organization', enabled: true };
    const credentials = { type: 'custom', client_id: 'id', client_secret: 'secret-of-it' };
    expect((await call('POST', '/data-integrations', { ...root, credentials })).status).toBe(201);
    await call('PUT', '/x/pipes/settings', { authorization_start: 'confirm' });
    const url = await authorize(user, { organization_id, connection_owner: 'organization' });
    await prove();
    expect((await browser().open(url)).text).toContain('This link has expired');
  });

  test('is rejected when the application finishes it', async () => {
    const return_to = 'https://app.example.com/connected';
    await call('POST', '/user_management/redirect_uris', { uri: return_to });
    const code_verifier = 'v'.repeat(43);
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
    const person = browser();
    const { url } = await agree(person, await person.open(await authorize(user, { return_to, code_challenge })));
    const connect_code = new URL(url).searchParams.get('connect_code');
    expect(connect_code).toBeTruthy();
    await prove();
    const finished = await call('POST', '/data-integrations/finish', { connect_code, code_verifier });
    expect([finished.status, finished.body.code]).toEqual([400, 'invalid_connect_code']);
    expect((await vend(user)).body).toEqual({ active: false, error: 'not_installed' });
  });

  test('cannot be finished after the user is deleted', async () => {
    const person = browser();
    const start = await person.open(await authorize(user));
    expect((await call('DELETE', `/user_management/users/${user}`)).status).toBe(200);
    expect((await agree(person, start)).text).toContain('was not connected');
    expect(party.of('authorization_code')).toHaveLength(0);
  });
});

test('an account that was connected after the first verification stays after a change of the address', async () => {
  await call('PUT', `/user_management/users/${user}`, { email: 'former@example.com', email_verified: true });
  await connect(user);
  await call('PUT', `/user_management/users/${user}`, { email: EMAIL });
  await prove();
  await idle();
  expect((await vend(user)).body.active).toBe(true);
});
