import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, idle, messages, reset, sdk } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import {
  act,
  type Invitation,
  INVITATIONS,
  invite,
  invited,
  listed,
  organization,
  read,
  setInvitations,
} from './organizations.ts';
import { retryCall } from '../../support/retries.ts';

const DAY_SECONDS = 86_400;
const email = 'grace@example.com';

interface Membership {
  status: string;
  role: { slug: string };
}

const memberships = async (userId: string): Promise<Membership[]> =>
  (
    await call<{ data: Membership[] }>(
      'GET',
      `/user_management/organization_memberships?user_id=${userId}&statuses=active,inactive,pending`,
    )
  ).body.data;

beforeEach(() => reset());

describe('an invitation', () => {
  test('is created, read, found by its token, listed, resent and revoked through the official SDK', async () => {
    const { userManagement } = sdk();
    const organizationId = await organization();
    const made = await userManagement.sendInvitation({ email, organizationId, roleSlug: 'admin', expiresInDays: 7 });
    expect(made).toMatchObject({ email, state: 'pending', organizationId, acceptedAt: null, inviterUserId: null });
    expect(await userManagement.getInvitation(made.id)).toEqual(made);
    expect(await userManagement.findInvitationByToken(made.token)).toEqual(made);
    await idle();
    const { data } = await userManagement.listInvitations({ email, organizationId });
    expect(data.map(({ id }) => id)).toEqual([made.id]);
    expect(await userManagement.resendInvitation(made.id)).toMatchObject({ state: 'pending', token: made.token });
    expect(await userManagement.revokeInvitation(made.id)).toMatchObject({ state: 'revoked' });
  });

  test('sends a mail in the recipient’s language, whose link contains the token', async () => {
    const inviter = await addUser('ada@example.com');
    await call('PUT', `/user_management/users/${inviter}`, { first_name: 'Ada', last_name: '<Lovelace>' });
    const organization_id = await organization('Acme & Söhne');
    const made = await invited({ email, organization_id, inviter_user_id: inviter, locale: 'de-DE' });
    const [mail] = await messages(email);
    expect(mail?.subject).toBe('Ada <Lovelace> hat Sie zu Acme & Söhne eingeladen');
    expect(mail?.links).toContain(made.accept_invitation_url);
    expect(new URL(made.accept_invitation_url).searchParams.get('invitation_token')).toBe(made.token);
    expect(String(mail?.subject)).not.toContain(made.token);
  });

  test('has at most forty whole characters of the inviter’s name in the subject of the mail', async () => {
    const inviter = await addUser('ada@example.com');
    const last_name = '🦉'.repeat(60);
    await call('PUT', `/user_management/users/${inviter}`, { first_name: 'Your parcel waits', last_name });
    const organization_id = await organization();
    await invited({ email, organization_id, inviter_user_id: inviter });
    const [mail] = await messages(email);
    expect(mail?.subject).toBe(`Your parcel waits ${'🦉'.repeat(22)}… invited you to Acme`);
  });

  test.each([
    ['en', 'You are invited to'],
    ['fr', 'Vous êtes invité'],
    ['es-419', 'Tiene una invitación'],
    ['fy', 'You are invited to'],
  ])('is mailed in %s', async (locale, beginning) => {
    await invited({ email, locale });
    const [mail] = await messages(email);
    expect(mail?.subject).toMatch(new RegExp(`^${beginning}`));
  });

  test('links to the environment’s own page if configured', async () => {
    await setInvitations({ accept_url: 'https://app.example.com/join?from=mail' });
    const { accept_invitation_url: url, token } = await invited({ email });
    expect(url).toBe(`https://app.example.com/join?from=mail&invitation_token=${token}`);
  });

  test('is only valid for its address, ignoring case', async () => {
    const made = await invited({ email: 'Grace@EXAMPLE.com' });
    expect(made.email).toBe(email);
    expect(await invite({ email })).toMatchObject({ status: 400, body: { code: 'email_already_invited' } });
    await idle();
    expect((await listed('?email=GRACE@example.com')).data.map(({ id }) => id)).toEqual([made.id]);
  });

  test('is unique for an address in the environment and in each organization, while it is pending', async () => {
    const [one, two] = [await organization('One'), await organization('Two')];
    await invited({ email });
    const first = await invited({ email, organization_id: one });
    await invited({ email, organization_id: two });
    const again = () => invite({ email, organization_id: one });
    expect(await again()).toMatchObject({ status: 400, body: { code: 'email_already_invited_to_organization' } });
    expect(await act(first.id, 'revoke')).toMatchObject({ status: 200 });
    const second = await invited({ email, organization_id: one, expires_in_days: 1 });
    await advance(DAY_SECONDS + 1);
    expect((await read(second.id)).body.state).toBe('expired');
    await invited({ email, organization_id: one });
  });

  test('is created only once by twenty parallel requests', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => invite({ email })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await messages(email)).toHaveLength(1);
  });

  test('expires after its configured days, without a write', async () => {
    const week = await invited({ email: 'week@example.com' });
    expect(Date.parse(week.expires_at) - Date.parse(week.created_at)).toBe(7 * DAY_SECONDS * 1_000);
    const { id, token } = await invited({ email, expires_in_days: 30 });
    await advance(30 * DAY_SECONDS - 300);
    expect((await read(id)).body.state).toBe('pending');
    await advance(301);
    expect((await read(id)).body.state).toBe('expired');
    expect((await call<Invitation>('GET', `${INVITATIONS}/by_token/${token}`)).body.state).toBe('expired');
    for (const [verb, code] of [
      ['accept', 'invite_not_pending'],
      ['revoke', 'invite_not_pending'],
      ['resend', 'invite_expired'],
    ] as const) {
      expect(await act(id, verb)).toMatchObject({ status: 400, body: { code } });
    }
  });

  test('is found only by its exact token', async () => {
    const { token } = await invited({ email });
    const byToken = (text: string) => call('GET', `${INVITATIONS}/by_token/${encodeURIComponent(text)}`);
    expect((await byToken(token)).status).toBe(200);
    for (const wrong of [
      token.slice(0, -1),
      token.toLowerCase(),
      `${token} `,
      `${token}/`,
      'x',
      '#',
      'x'.repeat(3_000),
    ]) {
      expect((await byToken(wrong)).status).toBe(404);
    }
  });
});

describe('an address', () => {
  test.each([
    ['ivan@пример.рф', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['Zoe.b&d@example.com', 'zoe.b&d@example.com'],
  ])('that a user can have is accepted by invitations, searches and the waitlist: %s', async (written, read) => {
    expect(await invited({ email: written })).toMatchObject({ email: read, state: 'pending' });
    await idle();
    expect((await listed(`?email=${encodeURIComponent(written)}`)).data).toMatchObject([{ email: read }]);
    const waiting = await call('POST', '/user_management/waitlists/default/entries', { email: written });
    expect(waiting).toMatchObject({ status: 201, body: { email: read } });
    expect((await call('POST', '/user_management/users', { email: written })).body).toMatchObject({ email: read });
  });
});

describe('an invitation is rejected:', () => {
  test.each([
    ['for less than a day', { expires_in_days: 0 }, 400, 'expires_in_days_too_short'],
    ['for less than no time', { expires_in_days: -3 }, 400, 'expires_in_days_too_short'],
    ['for more than thirty days', { expires_in_days: 31 }, 400, 'expires_in_days_too_long'],
    ['for part of a day', { expires_in_days: 1.5 }, 422, 'invalid_request_parameters'],
    ['to an unknown organization', { organization_id: 'org_01JX0000000000000000000000' }, 404, 'not_found'],
    ['by an unknown user', { inviter_user_id: 'user_01JX0000000000000000000000' }, 404, 'not_found'],
    ['with a role but no organization', { role_slug: 'admin' }, 422, 'invalid_request_parameters'],
    ['in an unknown language', { locale: 'tlh' }, 422, 'invalid_request_parameters'],
    ['to what is no address', { email: 'nobody' }, 422, 'invalid_request_parameters'],
    ['to an address that gets no mail', { email: 'a@b.invalid' }, 400, 'email_domain_not_deliverable'],
  ])('%s', async (_what, members, status, code) => {
    expect(await invite({ email, ...members })).toMatchObject({ status, body: { code } });
    expect(await messages()).toEqual([]);
  });

  test('with a role that members of the organization cannot have', async () => {
    const organization_id = await organization();
    expect(await invite({ email, organization_id, role_slug: 'emperor' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_role' },
    });
  });

  test('to an organization or a domain that the settings block', async () => {
    const organization_id = await organization();
    await setInvitations({ blocked_organizations: [organization_id] });
    expect(await invite({ email, organization_id })).toMatchObject({
      status: 400,
      body: { code: 'organization_blocked_from_sending_invites' },
    });
    const { id } = await invited({ email });
    await setInvitations({ undeliverable_domains: ['EXAMPLE.com'] });
    expect(await invite({ email: 'b@example.com' })).toMatchObject({
      status: 400,
      body: { code: 'email_domain_not_deliverable' },
    });
    expect(await act(id, 'resend')).toMatchObject({ status: 400, body: { code: 'email_domain_not_deliverable' } });
  });

  test('to the environment for an existing user, and to an organization for its member', async () => {
    const userId = await addUser(email);
    const organization_id = await organization();
    expect(await invite({ email })).toMatchObject({ status: 400, body: { code: 'user_already_exists' } });
    await addMembership(userId, organization_id, 'inactive');
    expect(await invite({ email, organization_id })).toMatchObject({
      status: 400,
      body: { code: 'user_already_organization_member' },
    });
    await invited({ email, organization_id: await organization('Other') });
  });
});

describe('accepting an invitation', () => {
  test('makes the user an active member with the invited role, once', async () => {
    const userId = await addUser(email);
    const organization_id = await organization();
    const { id } = await invited({ email, organization_id, role_slug: 'admin' });
    const { status, body } = await act(id, 'accept');
    expect({ status, body }).toMatchObject({ status: 200, body: { state: 'accepted', accepted_user_id: userId } });
    expect(body.accepted_at).not.toBeNull();
    expect(await memberships(userId)).toMatchObject([{ status: 'active', role: { slug: 'admin' } }]);
    expect(await act(id, 'accept')).toMatchObject({ status: 400, body: { code: 'invite_has_accepted_user_id' } });
    expect(await act(id, 'revoke')).toMatchObject({ status: 400, body: { code: 'invite_not_pending' } });
    expect(await act(id, 'resend')).toMatchObject({ status: 400, body: { code: 'invite_accepted' } });
  });

  test('succeeds for exactly one of fifty parallel requests', async () => {
    const userId = await addUser(email);
    const { id } = await invited({ email, organization_id: await organization() });
    const responses = await Promise.all(Array.from({ length: 50 }, () => retryCall(() => act(id, 'accept'))));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(49);
    expect(await memberships(userId)).toHaveLength(1);
  });

  test('in parallel with revoking it never results in both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const address = `race-${round}@example.com`;
      const userId = await addUser(address);
      const { id } = await invited({ email: address, organization_id: await organization() });
      const [accepted, revoked] = await Promise.all([
        retryCall(() => act(id, 'accept')),
        retryCall(() => act(id, 'revoke')),
      ]);
      expect([accepted.status, revoked.status].sort()).toEqual([200, 400]);
      expect(await memberships(userId)).toHaveLength(accepted.status === 200 ? 1 : 0);
    }
  });

  test('activates a pending member, but not a deactivated one', async () => {
    const organization_id = await organization();
    const waiting = await addUser('waiting@example.com');
    await addMembership(waiting, organization_id, 'pending');
    const first = await invited({ email: 'waiting@example.com', organization_id });
    expect((await act(first.id, 'accept')).status).toBe(200);
    expect(await memberships(waiting)).toMatchObject([{ status: 'active' }]);

    const out = await addUser('out@example.com');
    const second = await invited({ email: 'out@example.com', organization_id });
    await addMembership(out, organization_id, 'inactive');
    expect(await act(second.id, 'accept')).toMatchObject({ status: 400, body: { code: 'invalid_invite' } });
    expect(await memberships(out)).toMatchObject([{ status: 'inactive' }]);
  });

  test('does not change the role of an active member', async () => {
    const [userId, organization_id] = [await addUser(email), await organization()];
    const { id } = await invited({ email, organization_id, role_slug: 'admin' });
    await addMembership(userId, organization_id);
    expect((await act(id, 'accept')).status).toBe(200);
    expect(await memberships(userId)).toMatchObject([{ status: 'active', role: { slug: 'member' } }]);
  });

  test('requires a user with the invited address', async () => {
    await addUser('other@example.com');
    const { id } = await invited({ email, organization_id: await organization() });
    expect(await act(id, 'accept')).toMatchObject({ status: 400, body: { code: 'invalid_invite' } });
    await addUser(email);
    expect((await act(id, 'accept')).status).toBe(200);
  });

  test('assigns the default role if the invited role was deleted in the meantime', async () => {
    const userId = await addUser(email);
    const organization_id = await organization();
    const roles = `/authorization/organizations/${organization_id}/roles`;
    const auditor = { slug: 'org-auditor', name: 'Auditor' };
    expect((await call('POST', roles, auditor)).status).toBe(201);
    const { id } = await invited({ email, organization_id, role_slug: 'org-auditor' });
    expect((await call('DELETE', `${roles}/org-auditor`)).status).toBe(204);
    // A new role with the same slug is another role.
    expect((await call('POST', roles, auditor)).status).toBe(201);
    expect((await act(id, 'accept')).status).toBe(200);
    expect(await memberships(userId)).toMatchObject([{ role: { slug: 'member' } }]);
  });

  test('is rejected after the invitation was revoked', async () => {
    const { id } = await invited({ email });
    expect(await act(id, 'revoke')).toMatchObject({ status: 200, body: { state: 'revoked' } });
    expect(await act(id, 'resend')).toMatchObject({ status: 400, body: { code: 'invite_revoked' } });
    expect(await act(id, 'accept')).toMatchObject({ status: 400, body: { code: 'invite_not_pending' } });
  });
});

describe('sending an invitation again', () => {
  test('works without a request body, as a Go client sends it', async () => {
    const made = await invited({ email: 'grace@example.com' });
    const response = await call('POST', `/user_management/invitations/${made.id}/resend`);
    expect(response).toMatchObject({ status: 200, body: { id: made.id } });
  });

  test('keeps its link and renews its validity', async () => {
    const made = await invited({ email, expires_in_days: 2, locale: 'fr' });
    expect(await messages(email)).toHaveLength(1);
    await advance(DAY_SECONDS + DAY_SECONDS / 2);
    const { body: resent } = await act(made.id, 'resend');
    expect(resent.token).toBe(made.token);
    expect(Date.parse(resent.expires_at) - Date.parse(made.expires_at)).toBeGreaterThan(1.4 * DAY_SECONDS * 1_000);
    const mails = await messages(email);
    expect(mails.map(({ subject }) => subject?.slice(0, 4))).toEqual(['Vous', 'Vous']);
    await act(made.id, 'resend', { locale: 'es' });
    expect((await messages(email))[0]?.subject).toMatch(/^Tiene/);
    await advance(DAY_SECONDS);
    expect((await read(made.id)).body.state).toBe('pending');
  });
});
