import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { admitSmsChallenge, stageRadarChallenge } from '../../../functions/proofs/radar/public.ts';
import { identityHolder, stageIdentity } from '../../../functions/proofs/modules/credentials/public.ts';
import { addFault, advance, call, clearFaults, idle, reset } from '../../support/service.ts';
import { addMembership, addSession, addUser, environment, readRows, readSessions } from '../../support/users.ts';
import { readEvents, MEMBERSHIPS, newMembership, newOrganization, newUser, settings, USERS } from './users.ts';

beforeEach(() => reset());

describe('a deleted user', () => {
  test('leaves no row, and each of their memberships ends with an event', async () => {
    const unique = { email: 'ada@example.com', external_id: 'a-1' };
    const user = await newUser({ ...unique, password: 'seventeen otters on a raft' });
    const organizations = await Promise.all(Array.from({ length: 30 }, () => newOrganization()));
    await Promise.all(organizations.map((id) => addMembership(user.id, id)));
    await addSession(user.id, organizations[0]);
    await idle();
    expect((await call('DELETE', `${USERS}/${user.id}`)).status).toBe(200);
    expect(await readSessions(user.id)).toEqual([]);
    const ended = await readEvents('organization_membership.deleted');
    expect(ended.map(({ data }) => data.organization_id).toSorted()).toEqual(organizations.toSorted());
    expect(await readEvents('session.revoked')).toHaveLength(1);
    await idle();
    expect((await readRows(user.id)).filter((kind) => kind !== 'event')).toEqual(['erasure']);
    const successor = await newUser(unique);
    await advance(11 * 60);
    await idle();
    expect((await readRows(user.id)).filter((kind) => kind !== 'event')).toEqual([]);
    expect((await call('GET', `${USERS}?email=${unique.email}`)).body).toMatchObject({ data: [{ id: successor.id }] });
    expect((await call('GET', `${USERS}/external_id/a-1`)).body).toMatchObject({ id: successor.id });
  });

  test('is not a member of any organization from that moment', async () => {
    const [user, organization] = [await newUser(), await newOrganization()];
    const { id } = await newMembership(user.id, organization);
    await call('DELETE', `${USERS}/${user.id}`);
    expect((await call('GET', `${MEMBERSHIPS}/${id}`)).status).toBe(404);
    const list = `${MEMBERSHIPS}?organization_id=${organization}`;
    expect((await call('GET', list)).body).toMatchObject({ data: [] });
    expect((await call('GET', `${USERS}?organization_id=${organization}`)).body).toMatchObject({ data: [] });
    expect((await call('POST', MEMBERSHIPS, { user_id: user.id, organization_id: organization })).status).toBe(404);
  });

  test('can have the maximum number of sessions', async () => {
    await call('PUT', '/x/sessions/settings', { max_sessions: 20 });
    const { id } = await newUser({ external_id: 'a-1' });
    for (let at = 0; at < 20; at += 1) await addSession(id);
    expect(await readSessions(id)).toHaveLength(20);
    expect((await call('DELETE', `${USERS}/${id}`)).status).toBe(200);
    expect(await readEvents('session.revoked')).toHaveLength(20);
  });

  test('is not deleted if the environment disallows it', async () => {
    await settings({ user_deletion: false });
    const { id } = await newUser();
    expect(await call('DELETE', `${USERS}/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'user_deletion_not_allowed' },
    });
    expect((await call('GET', `${USERS}/${id}`)).status).toBe(200);
  });
});

describe('data of a deleted user in other areas', () => {
  test('is erased: API keys, factors, codes, identities and links', async () => {
    const user = await newUser({ email_verified: false, password: 'tangled violins at dawn' });
    const organization_id = await newOrganization();
    await newMembership(user.id, organization_id);
    await addSession(user.id);
    const environmentId = await environment();
    await applyWork(environmentId, systemActor, async (unit) => {
      const google = { provider: 'GoogleOAuth', issuer: 'https://accounts.google.com', subject: '1' };
      await stageIdentity(unit, environmentId, user.id, google);
      admitSmsChallenge(unit, { environmentId, userId: user.id, pendingToken: 'a token' });
      await stageRadarChallenge(unit, { environmentId, user, kind: 'sms', phoneNumber: '+15005550006' });
    });
    const made = await Promise.all([
      call('POST', `${USERS}/${user.id}/api_keys`, { name: 'Key', organization_id }),
      call('POST', `${USERS}/${user.id}/auth_factors`, { type: 'totp', totp_issuer: 'Acme', totp_user: user.email }),
      call('POST', '/user_management/password_reset', { email: user.email }),
      call('POST', '/user_management/magic_auth', { email: user.email }),
      call('POST', `${USERS}/${user.id}/email_verification/send`),
      call('POST', `${USERS}/${user.id}/email_change/send`, { new_email: 'next@example.com' }),
    ]);
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200, 200]);
    const value = (made[0].body as { value: string }).value;
    expect((await call('POST', '/api_keys/validations', { value })).body).toMatchObject({ api_key: { name: 'Key' } });
    const kinds = ['password', 'identity', 'session', 'radar-challenge', 'radar-sms-admission'];
    expect(await readRows(user.id)).toEqual(expect.arrayContaining(kinds));
    await idle();
    await call('DELETE', `${USERS}/${user.id}`);
    await idle();
    await advance(6);
    expect((await call('POST', '/api_keys/validations', { value })).body).toMatchObject({ api_key: null });
    expect(await readEvents('api_key.revoked')).toHaveLength(1);
    const kept = new Set(await readRows(user.id));
    // The kinds of rows that remain are events, the erasure until its second sweep, and challenges, which expire a day after their end.
    for (const kind of ['event', 'erasure', 'auth-challenge']) kept.delete(kind);
    expect([...kept]).toEqual([]);
  });

  test('an account at a provider can be linked to a new user at once, and stays linked', async () => {
    const [environmentId, former, next] = [await environment(), await newUser(), await newUser()];
    const google = { provider: 'GoogleOAuth', issuer: 'https://accounts.google.com', subject: '1' };
    const link = (userId: string, deleted?: string) =>
      applyWork(environmentId, systemActor, async (unit) => {
        await stageIdentity(unit, environmentId, userId, google, { formerHolder: deleted });
      });
    // The erasure finds the user's rows late.
    await clearFaults();
    await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 1_500 });
    await link(former.id);
    await call('DELETE', `${USERS}/${former.id}`);
    await link(next.id, former.id);
    await idle();
    expect(await identityHolder(environmentId, google)).toBe(next.id);
    expect((await call('GET', `${USERS}/${next.id}/identities`)).body).toMatchObject([{ idp_id: '1' }]);
  });

  test('an API key works only while its user is an active member', async () => {
    const [user, organization_id] = [await newUser(), await newOrganization()];
    const { id } = await newMembership(user.id, organization_id);
    const made = await call<{ value: string }>('POST', `${USERS}/${user.id}/api_keys`, {
      name: 'Key',
      organization_id,
    });
    const check = () => call('POST', '/api_keys/validations', { value: made.body.value });
    expect((await check()).body).toMatchObject({ api_key: { name: 'Key' } });
    await call('PUT', `${MEMBERSHIPS}/${id}/deactivate`);
    await advance(6);
    expect((await check()).body).toMatchObject({ api_key: null });
    await call('PUT', `${MEMBERSHIPS}/${id}/reactivate`);
    expect((await check()).body).toMatchObject({ api_key: { name: 'Key' } });
  });
});

describe('a deleted organization', () => {
  test('does not release an external_id that another organization has got since, even if an index lags', async () => {
    const make = (name: string) => call<{ id: string }>('POST', '/organizations', { name, external_id: 'o-1' });
    const first = await make('First');
    await idle();
    await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 1_500 });
    await call('DELETE', `/organizations/${first.body.id}`);
    const second = await make('Second');
    expect(second.status).toBe(201);
    await idle();
    expect((await call('GET', '/organizations/external_id/o-1')).body).toMatchObject({ id: second.body.id });
  });

  test('is erased with its memberships, and its users are kept', async () => {
    const [organization, other] = [await newOrganization(), await newOrganization()];
    const user = await addUser();
    const ids = [await addMembership(user, organization), await addMembership(user, other)];
    // The second sweep, ten minutes later, removes rows that the index does not show yet.
    await idle();
    expect((await call('DELETE', `/organizations/${organization}`)).status).toBe(202);
    expect((await call('GET', `${MEMBERSHIPS}/${ids[0]}`)).status).toBe(404);
    expect((await call('GET', `${MEMBERSHIPS}?user_id=${user}`)).body).toMatchObject({ data: [{ id: ids[1] }] });
    await idle();
    const kinds = await readRows(organization);
    expect(kinds.filter((kind) => kind.startsWith('organization-membership'))).toEqual([]);
    expect((await call('GET', `${USERS}/${user}`)).status).toBe(200);
  });
});
