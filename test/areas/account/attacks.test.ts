import { beforeEach, describe, expect, test } from '@jest/globals';

import { type AccountHolder, accountAddress, openAccount, openProven } from '../../support/account.ts';
import type { Page } from '../../support/browser.ts';
import { newOrganization } from '../../support/organizations.ts';
import { readText } from '../../support/portal.ts';
import { addFault, advance, call, idle, messages, now, reset } from '../../support/service.ts';
import { addMembership, addSession, environment, readSessions } from '../../support/users.ts';
import { findMembership } from '../../../functions/tenancy/modules/memberships/public.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { stageMembershipChange } from '../../../functions/tenancy/modules/memberships/public.ts';
import { findIdentities, stageIdentity } from '../../../functions/proofs/modules/credentials/public.ts';
import { mailedCode, makeUser, PASSWORD, totp } from '../pages/application.ts';
import { forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { organization, samlConnection } from '../sso/support.ts';

const EMAIL = 'ada@example.com';
const MALLORY = 'mallory@example.com';

let userId: string;
let malloryId: string;

beforeEach(async () => {
  await reset();
  userId = await makeUser(EMAIL);
  malloryId = await makeUser(MALLORY);
});

const readUser = async (id: string) =>
  (await call<Record<string, unknown>>('GET', `/user_management/users/${id}`)).body;

/** The proof of a page's form. */
const readProof = ({ text }: Page): string => /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** Sends a form to a page of the account, as it is, from a browser. */
async function send(
  { person }: AccountHolder,
  page: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Page> {
  const own = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers };
  const body = new URLSearchParams(fields).toString();
  return person.request(await accountAddress(page), { method: 'POST', headers: own, body });
}

/** Connects accounts at two providers to a user. */
async function connectTwo(id: string): Promise<string[]> {
  const environmentId = await environment();
  await configure((await forgingProvider()).url);
  await applyWork(environmentId, systemActor, async (unit) => {
    for (const subject of ['one', 'two'])
      await stageIdentity(unit, environmentId, id, { provider: 'GoogleOAuth', issuer: 'https://idp.example', subject });
  });
  return (await findIdentities(environmentId, id)).map((identity) => identity.id);
}

describe('a form of the account page', () => {
  test('has no effect with the id of a session, factor, account or membership of another user', async () => {
    const session = await addSession(userId);
    const { body: factor } = await call<{ authentication_factor: { id: string } }>(
      'POST',
      `/user_management/users/${userId}/auth_factors`,
      { type: 'totp' },
    );
    const [identity = ''] = await connectTwo(userId);
    const membership = await addMembership(userId, await newOrganization('Engines'));
    const mallory = await openProven(malloryId, PASSWORD);
    const forms: [string, Record<string, string>][] = [
      ['sessions', { step: 'end', id: session }],
      ['authenticator', { step: 'remove', id: factor.authentication_factor.id }],
      ['connected_accounts', { id: identity }],
      ['organizations', { id: membership }],
    ];
    for (const [page, fields] of forms) {
      // The proof of a form is the same for all forms of a page; a page without a form has none to steal.
      const displayed = await mallory.open(page);
      const proof = readProof(displayed) || readProof(await mallory.open('sessions'));
      expect([page, (await send(mallory, page, { ...fields, proof })).status]).toEqual([page, 302]);
    }
    expect(await readSessions(userId)).toEqual([session]);
    const { body: left } = await call<{ data: unknown[] }>('GET', `/user_management/users/${userId}/auth_factors`);
    expect(left.data).toHaveLength(1);
    expect(await findIdentities(await environment(), userId)).toHaveLength(2);
    expect((await call('GET', `/user_management/organization_memberships/${membership}`)).status).toBe(200);
  });

  test('is rejected from another site, and has no effect with the proof of another page or session', async () => {
    const ada = await openProven(userId, PASSWORD);
    const mallory = await openProven(malloryId, PASSWORD);
    const page = await ada.open('name');
    const fields = { proof: readProof(page), first_name: 'Eve' };
    const foreign = await send(ada, 'name', fields, { 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.headers.get('x-error-code')]).toEqual([403, 'foreign_form']);
    const origin = await send(ada, 'name', fields, { origin: 'https://evil.example' });
    expect(origin.status).toBe(403);
    for (const proof of [readProof(await mallory.open('name')), readProof(await ada.open('email')), '', 'x']) {
      const response = await send(ada, 'name', { ...fields, proof });
      expect([response.status, response.headers.get('location')]).toEqual([
        302,
        expect.stringContaining('notice=stale'),
      ]);
    }
    expect((await readUser(userId)).first_name).toBeNull();
    expect((await send(ada, 'name', fields)).status).toBe(302);
    expect((await readUser(userId)).first_name).toBe('Eve');
  });

  test('has no effect without a proof of identity, and when the proof is older than the settings allow', async () => {
    await call('PUT', '/x/account/settings', { proof_minutes: 5 });
    const ada = await openAccount(userId);
    expect((await ada.open('name')).url).toContain('/confirm?to=name');
    const proven = await openProven(userId, PASSWORD);
    const page = await proven.open('name');
    await advance(290);
    expect((await send(proven, 'name', { proof: readProof(page), first_name: 'Ada' })).status).toBe(302);
    expect((await readUser(userId)).first_name).toBe('Ada');
    await advance(15);
    const late = await send(proven, 'name', { proof: readProof(page), first_name: 'Late' });
    expect(late.headers.get('location')).toContain('/confirm?to=name&notice=again');
    expect((await readUser(userId)).first_name).toBe('Ada');
  });

  test('shows a submitted value as text, never as HTML', async () => {
    const ada = await openProven(userId, PASSWORD);
    const page = await ada.open('email');
    const attack = '"><script>alert(1)</script>';
    const response = await ada.person.submit(page, { new_email: attack });
    expect(response.status).toBe(422);
    expect(response.text).not.toContain('<script>alert');
    const { url } = await ada.open(
      `confirm?to=${encodeURIComponent('//evil.example')}&done=${encodeURIComponent(attack)}`,
    );
    expect(url).toContain('/confirm');
  });
});

describe('the proof of identity', () => {
  test('locks out a client after ten wrong passwords in a minute, even with the correct one', async () => {
    const ada = await openAccount(userId);
    const page = await ada.open('name');
    const tried: number[] = [];
    for (let time = 0; time < 10; time += 1)
      tried.push((await ada.person.submit(page, { password: `wrong ${time}` })).status);
    expect(new Set(tried)).toEqual(new Set([422]));
    const locked = await ada.person.submit(page, { password: PASSWORD });
    expect(readText(locked)).toContain('Too many attempts');
    expect((await ada.open('name')).url).toContain('/confirm');
    await advance(61);
    expect((await ada.person.submit(page, { password: PASSWORD })).url).toContain('/name');
    await idle();
    const { body } = await call<{ data: unknown[] }>('GET', '/events?events=authentication.password_failed&limit=100');
    expect(body.data).toHaveLength(10);
  });

  test('accepts five attempts at a mailed code, and three mails in a minute', async () => {
    const ada = await openAccount(userId);
    const confirmation = await ada.open('name');
    const page = await ada.person.submit(confirmation, { do: 'code' });
    const code = await mailedCode(EMAIL);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (let time = 0; time < 5; time += 1) expect((await ada.person.submit(page, { code: wrong })).status).toBe(422);
    expect(readText(await ada.person.submit(page, { code }))).toContain('Too many incorrect attempts');
    await ada.person.submit(confirmation, { do: 'code' });
    await ada.person.submit(confirmation, { do: 'code' });
    expect(readText(await ada.person.submit(confirmation, { do: 'code' }))).toContain('Too many attempts');
    expect(await messages(EMAIL)).toHaveLength(3);
    expect((await ada.open('name')).url).toContain('/confirm');
  });

  test('is not the code of another session, of another user, or a code that was used', async () => {
    const ada = await openAccount(userId);
    const first = await ada.person.submit(await ada.open('name'), { do: 'code' });
    const code = await mailedCode(EMAIL);
    const mallory = await openAccount(malloryId);
    const stolen = await mallory.person.submit(await mallory.open('name'), { do: 'code' });
    expect((await mallory.person.submit(stolen, { code })).status).toBe(422);
    expect((await ada.person.submit(first, { code })).url).toContain('/name');
    const again = await openAccount(userId);
    const page = await again.open('confirm?to=name&step=code');
    expect(readText(await again.person.submit(page, { code }))).toContain('already been used');
  });

  test('is not complete without the second factor, however the form is changed', async () => {
    const { body } = await call<{
      authentication_factor: { totp: { secret: string } };
      authentication_challenge: { id: string };
    }>('POST', `/user_management/users/${userId}/auth_factors`, { type: 'totp' });
    const { secret } = body.authentication_factor.totp;
    const path = `/auth/challenges/${body.authentication_challenge.id}/verify`;
    expect((await call('POST', path, { code: await totp(secret, await now()) })).body.valid).toBe(true);
    const ada = await openAccount(userId);
    const confirmation = await ada.open('name');
    const factor = await ada.person.submit(confirmation, { password: PASSWORD });
    expect(readText(factor)).toContain('authenticator app');
    for (const fields of [{ step: '', password: PASSWORD }, { step: 'code', code: '123456' }, { code: '000000' }]) {
      await ada.person.submit(factor, fields);
      expect((await ada.open('name')).url).toContain('/confirm');
    }
    await advance(61);
    const next = await openAccount(userId);
    const asked = await next.person.submit(await next.open('name'), { password: PASSWORD });
    expect((await next.person.submit(asked, { code: await totp(secret, await now()) })).url).toContain('/name');
  });
});

describe('an account that an organization governs', () => {
  test('is not changed by its user if a directory manages the membership, not even by a crafted form', async () => {
    await call('PUT', '/x/account/settings', { sections: { deletion: true } });
    const domain_data = [{ domain: 'example.com', state: 'verified' }];
    const { body: made } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines', domain_data });
    const organizationId = made.id;
    await addMembership(userId, organizationId);
    const ada = await openProven(userId, PASSWORD);
    const pages = await Promise.all(['name', 'email', 'deletion', 'organizations'].map((page) => ada.open(page)));
    const environmentId = await environment();
    await applyWork(environmentId, systemActor, async (unit) => {
      const membership = await findMembership(environmentId, userId, organizationId);
      if (membership !== undefined) stageMembershipChange(unit, membership, { directoryManaged: true });
    });
    for (const page of pages) {
      const response = await ada.person.submit(page, { first_name: 'Eve', new_email: MALLORY, email: EMAIL });
      expect([page.url, response.status, response.headers.get('x-error-code')]).toEqual([
        page.url,
        403,
        'account_change_not_allowed',
      ]);
      expect(readText(response)).toContain('Engines manages your account through its directory');
    }
    expect(await readUser(userId)).toMatchObject({ first_name: null, email: EMAIL });
    expect((await ada.open('name')).text).not.toContain('first_name');
    const organizations = await ada.open('organizations');
    expect(readText(organizations)).toContain('Engines manages your account');
    expect(organizations.text).not.toContain('>Leave<');
    await call('PUT', `/organizations/${organizationId}`, { domain_data: [] });
    const left = await ada.person.submit(await ada.open('organizations'));
    expect(readText(left)).toContain('You left the organization');
  });

  test('is changed neither by a password nor by a mailed code if the domain requires single sign-on', async () => {
    const member = 'ada@acme.example';
    const id = await makeUser(member);
    const organizationId = await organization();
    await samlConnection(organizationId);
    const ada = await openAccount(id);
    for (const page of ['name', 'email', 'password']) {
      expect(readText(await ada.open(page))).toContain('manages your account through single sign-on');
    }
    const confirmation = await ada.open('sessions');
    expect(confirmation.url).toContain('/confirm');
    expect(confirmation.text).not.toContain('type="password"');
    await ada.person.submit(confirmation, { password: PASSWORD });
    await ada.person.submit(confirmation, { do: 'code' });
    expect(await messages(member)).toEqual([]);
    expect((await ada.open('sessions')).url).toContain('/confirm');
    const again = await ada.person.submit(confirmation, { do: 'sign_in' });
    expect(again.url).toContain('/hosted/sign-in');
  });
});

describe('a connected account', () => {
  test('is kept if it is the last sign-in method, even if two forms disconnect one account each at once', async () => {
    await call('PUT', '/x/authentication/settings', { methods: { magic_auth: false, password: false } });
    const [one = '', two = ''] = await connectTwo(userId);
    const ada = await openAccount(userId);
    const code = await ada.person.submit(await ada.open('connected_accounts'), { do: 'code' });
    const page = await ada.person.submit(code, { code: await mailedCode(EMAIL) });
    const proof = readProof(page);
    await addFault({ target: 'table', kind: 'delay', delay_ms: 40 });
    const responses = await Promise.all([one, two].map((id) => send(ada, 'connected_accounts', { proof, id })));
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([302, 422]);
    expect(await findIdentities(await environment(), userId)).toHaveLength(1);
    expect(readText(await ada.open('connected_accounts'))).toContain('You could not sign in without this account');
  });

  test('is disconnected with a mail if the user can sign in by another method', async () => {
    const [one = ''] = await connectTwo(userId);
    const ada = await openProven(userId, PASSWORD);
    const page = await ada.open('connected_accounts');
    const done = await ada.person.submit(page, { id: one });
    expect(readText(done)).toContain('The account is disconnected');
    expect(await findIdentities(await environment(), userId)).toHaveLength(1);
    expect(JSON.stringify(await messages(EMAIL))).toContain('Your Google account was disconnected');
  });
});
