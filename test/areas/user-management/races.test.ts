import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { findUser, touchUserVersion } from '../../../functions/tenancy/modules/users/public.ts';
import { rolesOfMemberships, stageMembership } from '../../../functions/tenancy/modules/memberships/public.ts';
import { call, reset } from '../../support/service.ts';
import { addSession, environment, readSessions } from '../../support/users.ts';
import { readEvents, MEMBERSHIPS, newMembership, newOrganization, newUser, type User, USERS } from './users.ts';
import { retryCall } from '../../support/retries.ts';

beforeEach(() => reset());

const twenty = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, at) => work(at)));
const count = (responses: readonly { status: number }[], status: number): number =>
  responses.filter((response) => response.status === status).length;

describe('twenty parallel calls', () => {
  test('with one address create one user', async () => {
    const cases = ['race@example.com', 'RACE@example.com', 'Race@Example.COM'];
    const responses = await twenty((at) => retryCall(() => call<User>('POST', USERS, { email: cases[at % 3] })));
    expect([count(responses, 201), count(responses, 400)]).toEqual([1, 19]);
    expect(await readEvents('user.created')).toHaveLength(1);
  });

  test('that change several users to one address: only one succeeds', async () => {
    const users = await twenty(() => newUser());
    const responses = await Promise.all(
      users.map(({ id }) => retryCall(() => call('PUT', `${USERS}/${id}`, { email: 'race@example.com' }))),
    );
    expect([count(responses, 200), count(responses, 400)]).toEqual([1, 19]);
    const { body } = await call<{ data: User[] }>('GET', `${USERS}?email=race@example.com`);
    expect(responses.filter(({ status }) => status === 200)[0]?.body).toMatchObject({ id: body.data[0]?.id });
  });

  test('create only one membership for a user and an organization', async () => {
    const pair = { user_id: (await newUser()).id, organization_id: await newOrganization() };
    const responses = await twenty(() => retryCall(() => call('POST', MEMBERSHIPS, pair)));
    expect([count(responses, 201), count(responses, 400)]).toEqual([1, 19]);
    expect(await readEvents('organization_membership.created')).toHaveLength(1);
  });

  test('that change different members of a user lose no update', async () => {
    const { id } = await newUser();
    const members = ['first_name', 'last_name', 'name', 'external_id', 'locale'];
    await Promise.all(members.map((name) => retryCall(() => call('PUT', `${USERS}/${id}`, { [name]: 'en' }))));
    const { body } = await call('GET', `${USERS}/${id}`);
    expect(body).toMatchObject(Object.fromEntries(members.map((name) => [name, 'en'])));
  });
});

describe('revocation races', () => {
  test('a deactivation of a membership ends sessions in the organization that are opened concurrently', async () => {
    const [user, organization] = [await newUser(), await newOrganization()];
    const { id } = await newMembership(user.id, organization);
    const openings = Promise.allSettled(Array.from({ length: 5 }, () => addSession(user.id, organization)));
    await retryCall(() => call('PUT', `${MEMBERSHIPS}/${id}/deactivate`));
    await openings;
    // A sign-in reads the membership in its own unit of work. This test only opens the session, so sessions that it opens
    // later are not revoked.
    await retryCall(() => call('PUT', `${MEMBERSHIPS}/${id}/reactivate`));
    await retryCall(() => call('PUT', `${MEMBERSHIPS}/${id}/deactivate`));
    expect(await readSessions(user.id)).toEqual([]);
  });

  test.each([
    ['deactivation', (id: string) => call('PUT', `${MEMBERSHIPS}/${id}/deactivate`)],
    ['removal', (id: string) => call('DELETE', `${MEMBERSHIPS}/${id}`)],
  ])('a sign-in that began before the %s of a membership is not completed after it', async (_, end) => {
    const [user, organization, environmentId] = [await newUser(), await newOrganization(), await environment()];
    const { id } = await newMembership(user.id, organization);
    const found = await findUser(environmentId, user.id);
    if (found === undefined) throw new Error('The user is there');
    const signIn = new Unit(environmentId, systemActor);
    touchUserVersion(signIn, found, new Date().toISOString());
    expect((await retryCall(() => end(id))).status).toBe(200);
    expect(await signIn.commit()).toEqual({ kind: 'conflict' });
  });

  test('a membership is not created if its user was deleted concurrently', async () => {
    const [user, organizationId, environmentId] = [await newUser(), await newOrganization(), await environment()];
    const joining = new Unit(environmentId, systemActor);
    const { defaultRole } = await rolesOfMemberships(environmentId, organizationId);
    stageMembership(joining, { environmentId, userId: user.id, organizationId, roles: [defaultRole] });
    expect((await retryCall(() => call('DELETE', `${USERS}/${user.id}`))).status).toBe(200);
    expect(await joining.commit()).toEqual({ kind: 'conflict' });
  });

  test('a deletion of a user leaves no membership or session that is created concurrently', async () => {
    const [user, organization] = [await newUser(), await newOrganization()];
    const pair = { user_id: user.id, organization_id: organization };
    const making = Promise.allSettled([
      ...Array.from({ length: 5 }, () => retryCall(() => call('POST', MEMBERSHIPS, pair))),
      ...Array.from({ length: 5 }, () => addSession(user.id)),
    ]);
    await retryCall(() => call('DELETE', `${USERS}/${user.id}`));
    await making;
    expect(await readSessions(user.id)).toEqual([]);
    const made = await readEvents('organization_membership.created');
    expect(await readEvents('organization_membership.deleted')).toHaveLength(made.length);
  });
});
