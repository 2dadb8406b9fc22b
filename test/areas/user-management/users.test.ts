import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, messages, reset, sdk } from '../../support/service.ts';
import { addMembership, addSession, environment, readSessions } from '../../support/users.ts';
import { claim } from '../../../functions/kernel/storage/unique.ts';
import { commitRows } from '../../support/user-rows.ts';
import { allIds, readEvents, newOrganization, newUser, settings, type User, USERS } from './users.ts';

beforeEach(() => reset());

describe('a user', () => {
  test('can be created and changed by clients that send null for members without a value', async () => {
    const nothing = { password: null, password_hash: null, email_verified: null, external_id: null, metadata: null };
    const made = await call<{ id: string }>('POST', '/user_management/users', { email: 'php@example.com', ...nothing });
    expect([made.status, made.body]).toMatchObject([201, { email: 'php@example.com', email_verified: false }]);
    const body = { first_name: 'Ada', email: null, email_verified: null, password: null };
    const changed = await call('PUT', `/user_management/users/${made.body.id}`, body);
    expect([changed.status, changed.body]).toMatchObject([200, { first_name: 'Ada', email: 'php@example.com' }]);
  });

  test('is created, read, listed, updated and deleted through the official SDK', async () => {
    const { userManagement } = sdk();
    const created = await userManagement.createUser({
      email: 'Ada@Example.com',
      firstName: 'Ada',
      metadata: { tier: 'gold' },
      externalId: 'a-1',
    });
    expect(created).toMatchObject({
      email: 'ada@example.com',
      emailVerified: false,
      firstName: 'Ada',
      lastName: null,
      metadata: { tier: 'gold' },
      externalId: 'a-1',
      lastSignInAt: null,
    });
    expect(await userManagement.getUser(created.id)).toEqual(created);
    expect(await userManagement.getUserByExternalId('a-1')).toEqual(created);
    const updated = await userManagement.updateUser({ userId: created.id, lastName: 'Lovelace', locale: 'pt-br' });
    expect(updated).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', locale: 'pt-BR', externalId: 'a-1' });
    await idle();
    expect((await userManagement.listUsers()).data).toEqual([updated]);
    expect((await userManagement.listUsers({ email: 'ADA@example.COM' })).data).toEqual([updated]);
    await userManagement.deleteUser(created.id);
    await expect(userManagement.getUser(created.id)).rejects.toMatchObject({ status: 404 });
    await expect(userManagement.getUserByExternalId('a-1')).rejects.toMatchObject({ status: 404 });
  });

  test('keeps members that an update does not name, and clears those that are null', async () => {
    const named = { first_name: 'Ada', last_name: 'Lovelace', name: 'Ada Lovelace', metadata: { a: '1' } };
    const { id } = await newUser({ ...named, external_id: 'a-1' });
    const kept = await call<User>('PUT', `${USERS}/${id}`, {});
    expect(kept.body).toMatchObject({ ...named, external_id: 'a-1' });
    const nothing = { external_id: null, locale: null };
    const cleared = await call<User>('PUT', `${USERS}/${id}`, { ...nothing, metadata: null });
    expect(cleared.body).toMatchObject({ ...nothing, metadata: {} });
    expect((await call('GET', `${USERS}/external_id/a-1`)).status).toBe(404);
  });

  test('emits events with the changed members, and none without a change', async () => {
    const user = await newUser({ first_name: 'Ada' });
    await call('PUT', `${USERS}/${user.id}`, { first_name: 'Ada' });
    const { body: updated } = await call<User>('PUT', `${USERS}/${user.id}`, { first_name: 'Augusta' });
    await call('DELETE', `${USERS}/${user.id}`);
    expect(await readEvents('user.created', 'user.updated', 'user.deleted')).toMatchObject([
      { event: 'user.created', data: user },
      { event: 'user.updated', data: updated, context: { previous_attributes: { first_name: 'Ada' } } },
      { event: 'user.deleted', data: { id: user.id, email: user.email } },
    ]);
  });

  test('keeps its updated_at when it signs in', async () => {
    const { id, updated_at } = await newUser();
    await addSession(id);
    expect((await call<User>('GET', `${USERS}/${id}`)).body.updated_at).toBe(updated_at);
    expect(await readEvents('user.updated')).toEqual([]);
  });

  test('releases its address and external_id at once when it is deleted or changes them', async () => {
    const unique = { email: 'ada@example.com', external_id: 'a-1' };
    const first = await newUser(unique);
    await call('DELETE', `${USERS}/${first.id}`);
    const second = await newUser(unique);
    await call('PUT', `${USERS}/${second.id}`, { email: 'other@example.com', external_id: 'a-2' });
    await newUser(unique);
  });
});

describe('an email address', () => {
  test.each(['ada@example.com', 'ADA@EXAMPLE.COM', 'ada@Example.com', ' ada@example.com\n'])(
    'belongs to only one user: %j',
    async (email) => {
      await newUser({ email: 'Ada@example.com' });
      expect(await call('POST', USERS, { email })).toMatchObject({
        status: 400,
        body: { code: 'user_creation_error', errors: [{ field: 'email', code: 'email_not_available' }] },
      });
      const { id } = await newUser({ email: 'other@example.com' });
      expect(await call('PUT', `${USERS}/${id}`, { email })).toMatchObject({
        status: 400,
        body: { code: 'email_not_available' },
      });
    },
  );

  test.each(['no address', 'a@b', 'a@example.com\r\nBcc: eve@example.com', '@example.com', 'a@127.0.0.1'])(
    'is rejected if it cannot receive mail: %j',
    async (email) => {
      expect(await call('POST', USERS, { email })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'email' }] },
      });
      const { id } = await newUser();
      expect(await call('PUT', `${USERS}/${id}`, { email })).toMatchObject({
        status: 400,
        body: { code: 'invalid_email' },
      });
    },
  );

  test('that replaces another is unverified, and the sessions are revoked', async () => {
    const { id } = await newUser({ email_verified: true });
    await addSession(id);
    const { body } = await call<User>('PUT', `${USERS}/${id}`, { email: 'next@example.com' });
    expect(body).toMatchObject({ email: 'next@example.com', email_verified: false });
    expect(await readSessions(id)).toEqual([]);
    expect(
      (await call<User>('PUT', `${USERS}/${id}`, { email: 'third@example.com', email_verified: true })).body,
    ).toMatchObject({ email: 'third@example.com', email_verified: true });
  });

  test('that was verified gets a notice about its replacement, and an unverified one does not', async () => {
    const [proved, unproved] = [await newUser({ email_verified: true }), await newUser()];
    for (const { id } of [proved, unproved]) await call('PUT', `${USERS}/${id}`, { email: `${id}@new.example` });
    const [mail] = await messages(proved.email);
    expect(mail?.text).toContain(`${proved.id.toLowerCase()}@new.example`);
    expect(await messages(unproved.email)).toEqual([]);
  });

  test('that its user changes between two reads belongs to no user', async () => {
    const [{ id }, environmentId] = [await newUser(), await environment()];
    // The first read returns the state in which the address still belonged to the user.
    const former = { environmentId, kind: 'user.email', value: 'former@example.com' };
    await commitRows(environmentId, [claim(former, id)]);
    expect((await call('GET', `${USERS}?email=former@example.com`)).body).toMatchObject({ data: [] });
  });

  test('cannot be changed if the environment disallows it', async () => {
    await settings({ email_change: false });
    const { id, email } = await newUser();
    expect(await call('PUT', `${USERS}/${id}`, { email: 'next@example.com' })).toMatchObject({
      status: 400,
      body: { code: 'email_change_not_allowed' },
    });
    expect((await call('PUT', `${USERS}/${id}`, { email: email.toUpperCase() })).status).toBe(200);
  });

  test('that is verified cannot be made unverified', async () => {
    const { id } = await newUser({ email_verified: true });
    expect(await call('PUT', `${USERS}/${id}`, { email_verified: false })).toMatchObject({
      status: 400,
      body: { code: 'email_already_verified' },
    });
  });
});

describe('members of a user', () => {
  test('external_id belongs to one user only', async () => {
    await newUser({ external_id: 'a-1' });
    expect(await call('POST', USERS, { email: 'b@example.com', external_id: 'a-1' })).toMatchObject({
      status: 400,
      body: { code: 'user_creation_error', errors: [{ field: 'external_id', code: 'external_id_already_used' }] },
    });
    const { id } = await newUser();
    expect(await call('PUT', `${USERS}/${id}`, { external_id: 'a-1' })).toMatchObject({
      status: 400,
      body: { code: 'external_id_already_used' },
    });
  });

  test('metadata has at most 50 pairs of limited length', async () => {
    const { id } = await newUser();
    const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`m${at}`, 'x']));
    for (const metadata of [tooMany, { ['k'.repeat(41)]: 'x' }, { k: 'x'.repeat(601) }, { k: 1 }]) {
      const rejection = { status: 400, body: { code: 'invalid_metadata' } };
      expect(await call('POST', USERS, { email: 'm@example.com', metadata })).toMatchObject(rejection);
      expect(await call('PUT', `${USERS}/${id}`, { metadata })).toMatchObject(rejection);
    }
  });

  test.each(['not a tag', 'e', 'en_US', ''])('locale is a language tag, not %j', async (locale) => {
    const { id } = await newUser();
    expect(await call('PUT', `${USERS}/${id}`, { locale })).toMatchObject({
      status: 400,
      body: { code: 'invalid_locale' },
    });
  });
});

describe('a password', () => {
  const bcrypt = '$2b$04$Nn9lXJcbdXfVOWd4xyzbhOhJzNrG1PiZK0mH9a0yVhR6n0kPq8p6S';

  test.each([
    [
      { password: 'a long enough one', password_hash: bcrypt, password_hash_type: 'bcrypt' },
      'password_and_password_hash_provided',
    ],
    [{ password: 'a long enough one', password_hash_type: 'bcrypt' }, 'password_and_password_hash_type_provided'],
    [
      { password: 'a long enough one', password_salt_position: 'prefix' },
      'password_salt_position_requires_password_hash',
    ],
    [{ password_hash: 'nonsense', password_hash_type: 'bcrypt' }, 'invalid_password_hash'],
    [{ password: 'short' }, 'password_strength_error'],
  ])('is rejected for %j', async (members, code) => {
    const { id } = await newUser();
    expect(await call('POST', USERS, { email: 'p@example.com', ...members })).toMatchObject({
      status: 400,
      body: { code },
    });
    expect(await call('PUT', `${USERS}/${id}`, members)).toMatchObject({ status: 400, body: { code } });
  });

  test('that is set revokes the user’s sessions, and is in no response and no event', async () => {
    const password = 'seventeen otters on a raft';
    const user = await newUser({ password });
    await addSession(user.id);
    const { body } = await call<User>('PUT', `${USERS}/${user.id}`, { password: `${password} again` });
    expect(await readSessions(user.id)).toEqual([]);
    const texts = JSON.stringify([user, body, await readEvents('user.created', 'user.updated', 'session.revoked')]);
    expect(texts).not.toMatch(/otters|argon2/);
  });
});

describe('the list of users', () => {
  test('can be filtered by organization, in pages, each user once, with any status of the membership', async () => {
    const organization = await newOrganization();
    const users = await Promise.all(Array.from({ length: 23 }, () => newUser()));
    const statuses = ['active', 'pending', 'inactive'] as const;
    await Promise.all(users.map(({ id }, at) => addMembership(id, organization, statuses[at % 3])));
    const ids = users.map(({ id }) => id).toSorted();
    await addMembership((await newUser()).id, await newOrganization());
    await idle();
    const path = `${USERS}?organization_id=${organization}&limit=7`;
    expect(await allIds(`${path}&order=asc`)).toEqual(ids);
    expect(await allIds(`${path}&order=desc`)).toEqual(ids.toReversed());
    const older = await call<{ data: User[] }>('GET', `${USERS}?organization=${organization}&limit=100`);
    expect(older.body.data).toHaveLength(23);
  });

  test('filtered by address and organization contains only a member', async () => {
    const [organization, user] = [await newOrganization(), await newUser()];
    const path = `${USERS}?email=${user.email}&organization_id=${organization}`;
    expect((await call('GET', path)).body).toMatchObject({ data: [] });
    await addMembership(user.id, organization);
    expect((await call('GET', path)).body).toMatchObject({ data: [{ id: user.id }] });
  });

  test('is empty for an unknown organization', async () => {
    const { status, body } = await call('GET', `${USERS}?organization_id=org_01J00000000000000000000000`);
    expect({ status, body }).toMatchObject({ status: 200, body: { data: [] } });
  });
});
