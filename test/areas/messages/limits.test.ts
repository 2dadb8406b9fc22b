import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, idle, messages, reset } from '../../support/service.ts';
import { newOrganization } from '../../support/organizations.ts';
import { setSettings } from '../../support/settings.ts';
import { makeUser } from '../pages/application.ts';
import { newProvider, newScimUser, patch } from '../directory-sync/scim.ts';

/** Tests of the number of mails that a sender can cause to one recipient. */

const EMAIL = 'grace@private.example';
const DAY_SECONDS = 86_400;

/** The default of `mail.invitation.daily`. */
const MOST_INVITATIONS = 10;

beforeEach(() => reset());

const subjects = async (): Promise<string[]> => (await messages(EMAIL)).map(({ subject }) => subject ?? '');
const invitations = async (): Promise<number> => (await subjects()).filter((one) => one.includes('invited')).length;

/** Expects that the person gets each mail of an own sign-in: code, reset and verification. */
async function expectOwnMail(): Promise<void> {
  const before = (await messages(EMAIL)).length;
  const users = await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${EMAIL}`);
  const requests = [
    ['/user_management/magic_auth', { email: EMAIL }],
    ['/user_management/password_reset', { email: EMAIL }],
    [`/user_management/users/${users.body.data[0]?.id ?? ''}/email_verification/send`, {}],
  ] as const;
  for (const [path, body] of requests) expect((await call('POST', path, body)).status).toBeLessThan(300);
  expect(await messages(EMAIL)).toHaveLength(before + requests.length);
}

const invite = (organization_id?: string) =>
  call<{ id: string; code: string }>('POST', '/user_management/invitations', { email: EMAIL, organization_id });

describe('the invitations of one organization to one address', () => {
  test('are ten a day if a directory activates and deactivates a person 60 times, and own sign-ins get their mails', async () => {
    await makeUser(EMAIL, { email_verified: false });
    const provider = await newProvider({ provisioning: 'all' });
    const { id } = await newScimUser(provider, EMAIL);
    for (let time = 0; time < 120; time += 1) {
      const value = time % 2 === 1;
      const { status } = await provider.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value }));
      expect(status).toBe(200);
    }
    expect(await invitations()).toBe(MOST_INVITATIONS);
    await expectOwnMail();
  }, 60_000);

  test('are ten a day if a back end sends one again and again, or revokes it and invites again', async () => {
    await makeUser(EMAIL, { email_verified: false });
    const organizationId = await newOrganization('Acme');
    let { body } = await invite(organizationId);
    const seen: number[] = [];
    for (let time = 0; time < 20; time += 1) {
      if (time % 4 === 3) {
        await call('POST', `/user_management/invitations/${body.id}/revoke`);
        const made = await invite(organizationId);
        seen.push(made.status);
        if (made.status === 201) body = made.body;
      } else seen.push((await call('POST', `/user_management/invitations/${body.id}/resend`)).status);
      await idle();
    }
    expect(seen.filter((status) => status < 300)).toHaveLength(MOST_INVITATIONS - 1);
    expect(await invitations()).toBe(MOST_INVITATIONS);
    const rejected = await invite(organizationId);
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    await expectOwnMail();
    expect((await invite(await newOrganization('Second'))).status).toBe(201);
    expect(await invitations()).toBe(MOST_INVITATIONS + 1);
    await advance(DAY_SECONDS);
    expect((await invite(organizationId)).status).toBe(201);
  });

  test('stay within the limit if they are sent at once, and those beyond it are failed, not queued', async () => {
    const { body } = await invite();
    const path = `/user_management/invitations/${body.id}/resend`;
    for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 6 }, () => call('POST', path)));
    expect(await invitations()).toBeLessThanOrEqual(MOST_INVITATIONS);
    const list = await call<{ data: { state: string; failure: string | null }[] }>(
      'GET',
      `/x/messages?to=${EMAIL}&limit=100`,
    );
    for (const { state, failure } of list.body.data) {
      expect([state, failure]).toEqual(state === 'sent' ? ['sent', null] : ['failed', 'limited']);
    }
  });

  test('are as many as the environment’s own limit says', async () => {
    await setSettings({ limits: { 'mail.invitation.daily': { limit: 2 } } });
    const { body } = await invite();
    const resend = () => call('POST', `/user_management/invitations/${body.id}/resend`);
    const seen = [];
    for (let time = 0; time < 2; time += 1) {
      await idle();
      seen.push((await resend()).status);
    }
    expect(seen).toEqual([200, 429]);
  });
});

test('setup links to an IT contact are limited by organization and address', async () => {
  const organizationId = await newOrganization('Acme');
  const contacts = `/organizations/${organizationId}/it_contacts`;
  const { body } = await call<{ id: string }>('POST', contacts, { email: EMAIL });
  const seen: number[] = [];
  for (let time = 0; time < MOST_INVITATIONS + 2; time += 1) {
    seen.push((await call('POST', `${contacts}/${body.id}/invite`, { intents: ['sso'] })).status);
    await call('POST', `${contacts}/${body.id}/revoke`);
    await idle();
  }
  expect(seen).toEqual([...Array<number>(MOST_INVITATIONS).fill(204), 429, 429]);
  expect(await messages(EMAIL)).toHaveLength(MOST_INVITATIONS);
});
