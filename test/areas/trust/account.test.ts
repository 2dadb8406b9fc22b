import { beforeEach, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { call, messages, reset } from '../../support/service.ts';
import { accountAddress } from '../../support/account.ts';
import { setUp } from '../sso/identity-provider.ts';
import { addGuest, addPerson, arrive, linkGuest, readResult, signInByPassword } from './tenants.ts';

const EMAIL = 'ceo@victim.example';

beforeEach(() => reset());

test('a link to a connection is mailed about, shown on the account page, and removed by its person', async () => {
  const { organizationId, connection } = await setUp('evil.example');
  await addGuest(organizationId, EMAIL);
  await linkGuest(connection.id, EMAIL);
  const [mail] = await messages(EMAIL);
  expect(mail?.text).toContain('The single sign-on of Acme was connected to your account');
  const person = browser();
  await signInByPassword(person, await person.open(await accountAddress('connected_accounts')), EMAIL);
  const page = await person.open(await accountAddress('connected_accounts'));
  expect(page.text).toContain('<strong>Acme</strong>');
  await person.submit(page);
  expect((await person.open(await accountAddress('connected_accounts'))).text).not.toContain('<strong>Acme</strong>');
  expect(new URL((await arrive(connection.id, EMAIL)).url).pathname).toBe('/hosted/sign-in');
});

test('a removed link is made again at the next sign-in of an account that its organization covers', async () => {
  const { organizationId, connection } = await setUp();
  await call('PUT', `/x/organizations/${organizationId}/sso_policy`, { required: false });
  const email = 'ada@acme.example';
  await addPerson(email);
  expect(readResult(await arrive(connection.id, email))).toHaveProperty('code');
  const person = browser();
  await signInByPassword(person, await person.open(await accountAddress('connected_accounts')), email);
  const page = await person.open(await accountAddress('connected_accounts'));
  expect(page.text).toContain('<strong>Acme</strong>');
  expect((await person.submit(page)).text).not.toContain('<strong>Acme</strong>');
  expect(readResult(await arrive(connection.id, email))).toHaveProperty('code');
});

test('the API shows the identities of the contract, and the links at connections where they are asked for', async () => {
  const { organizationId, connection } = await setUp('evil.example');
  const userId = await addGuest(organizationId, EMAIL);
  await linkGuest(connection.id, EMAIL);
  const path = `/user_management/users/${userId}/identities`;
  expect((await call('GET', path)).body).toEqual([]);
  expect((await call('GET', `/x/user-management/users/${userId}/sso_identities`)).body).toMatchObject({
    data: [
      { connection_id: connection.id, organization_id: organizationId, idp_id: `id of ${EMAIL}`, linked_by: 'person' },
    ],
  });
  expect(readResult(await arrive(connection.id, EMAIL))).toHaveProperty('code');
});
