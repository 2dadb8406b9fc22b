import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, sdk } from '../../support/service.ts';
import { addMembership, addSession, readSessions } from '../../support/users.ts';
import {
  allIds,
  readEvents,
  type Membership,
  MEMBERSHIPS,
  newMembership,
  newOrganization,
  newUser,
  settings,
} from './users.ts';

beforeEach(() => reset());

const listed = async (query: string): Promise<string[]> => {
  const { body } = await call<{ data: Membership[] }>('GET', `${MEMBERSHIPS}?limit=100&${query}`);
  return body.data.map(({ id }) => id);
};

describe('a membership', () => {
  test('is created, read, listed, updated, deactivated, reactivated and deleted through the official SDK', async () => {
    const { userManagement } = sdk();
    const [user, organizationId] = [await newUser(), await newOrganization('Acme')];
    const created = await userManagement.createOrganizationMembership({ userId: user.id, organizationId });
    expect(created).toMatchObject({ userId: user.id, organizationId, organizationName: 'Acme', status: 'active' });
    expect(created.role).toEqual({ slug: 'member' });
    expect(await userManagement.getOrganizationMembership(created.id)).toEqual(created);
    expect((await userManagement.listOrganizationMemberships({ userId: user.id })).data).toEqual([created]);
    const admin = await userManagement.updateOrganizationMembership(created.id, { roleSlug: 'admin' });
    expect(admin.role).toEqual({ slug: 'admin' });
    expect(await userManagement.deactivateOrganizationMembership(created.id)).toMatchObject({ status: 'inactive' });
    expect(await userManagement.reactivateOrganizationMembership(created.id)).toMatchObject({ status: 'active' });
    await userManagement.deleteOrganizationMembership(created.id);
    await expect(userManagement.getOrganizationMembership(created.id)).rejects.toMatchObject({ status: 404 });
    await newMembership(user.id, organizationId);
  });

  test('shows the current data of the user and the current name of the organization', async () => {
    const [user, organization] = [await newUser({ first_name: 'Ada' }), await newOrganization('Acme')];
    const { id } = await newMembership(user.id, organization);
    await call('PUT', `/user_management/users/${user.id}`, { first_name: 'Augusta' });
    await call('PUT', `/organizations/${organization}`, { name: 'Acme Inc' });
    const { body } = await call('GET', `${MEMBERSHIPS}/${id}`);
    expect(body).toMatchObject({ organization_name: 'Acme Inc', user: { id: user.id, first_name: 'Augusta' } });
  });

  test('emits an event for each change, and none without a change', async () => {
    const [user, organization] = [await newUser(), await newOrganization()];
    const { id } = await newMembership(user.id, organization);
    await call('PUT', `${MEMBERSHIPS}/${id}`, { role_slug: 'member' });
    await call('PUT', `${MEMBERSHIPS}/${id}/reactivate`);
    await call('PUT', `${MEMBERSHIPS}/${id}`, { role_slug: 'admin' });
    await call('PUT', `${MEMBERSHIPS}/${id}/deactivate`);
    await call('PUT', `${MEMBERSHIPS}/${id}/deactivate`);
    await call('DELETE', `${MEMBERSHIPS}/${id}`);
    const names = ['created', 'updated', 'deleted'].map((what) => `organization_membership.${what}`);
    expect(await readEvents(...names)).toMatchObject([
      { event: names[0], data: { id, user_id: user.id, organization_id: organization, role: { slug: 'member' } } },
      { event: names[1], data: { id, role: { slug: 'admin' }, status: 'active' } },
      { event: names[1], data: { id, status: 'inactive' } },
      { event: names[2], data: { id, status: 'inactive' } },
    ]);
  });

  test.each([
    ['deactivated', (id: string) => call('PUT', `${MEMBERSHIPS}/${id}/deactivate`)],
    ['deleted', (id: string) => call('DELETE', `${MEMBERSHIPS}/${id}`)],
  ])('that is %s revokes the user’s sessions in that organization only', async (_, end) => {
    const [user, organization, other] = [await newUser(), await newOrganization(), await newOrganization()];
    const { id } = await newMembership(user.id, organization);
    await newMembership(user.id, other);
    await addSession(user.id, organization);
    const kept = [await addSession(user.id, other), await addSession(user.id)];
    expect((await end(id)).status).toBe(200);
    expect(await readSessions(user.id)).toEqual(kept);
    expect(await readEvents('session.revoked')).toHaveLength(1);
  });

  test('that is pending cannot be deactivated, reactivated or created again', async () => {
    const [user, organization] = [await newUser(), await newOrganization()];
    const id = await addMembership(user.id, organization, 'pending');
    expect(await call('PUT', `${MEMBERSHIPS}/${id}/deactivate`)).toMatchObject({
      status: 400,
      body: { code: 'cannot_deactivate_pending_organization_membership' },
    });
    const rejection = { status: 400, body: { code: 'cannot_reactivate_pending_organization_membership' } };
    expect(await call('PUT', `${MEMBERSHIPS}/${id}/reactivate`)).toMatchObject(rejection);
    const pair = { user_id: user.id, organization_id: organization };
    expect(await call('POST', MEMBERSHIPS, pair)).toMatchObject(rejection);
  });

  test('is unique for a user and an organization: creating an active one again is rejected, and an inactive one is activated', async () => {
    const pair = { user_id: (await newUser()).id, organization_id: await newOrganization() };
    const { id } = await newMembership(pair.user_id, pair.organization_id);
    expect(await call('POST', MEMBERSHIPS, pair)).toMatchObject({
      status: 400,
      body: { code: 'user_already_organization_member' },
    });
    await call('PUT', `${MEMBERSHIPS}/${id}/deactivate`);
    const again = await call('POST', MEMBERSHIPS, { ...pair, role_slug: 'admin' });
    expect(again).toMatchObject({ status: 201, body: { id, status: 'active', role: { slug: 'admin' } } });
  });

  test.each(['user', 'organization'])('requires an existing %s', async (missing) => {
    const pair = {
      user_id: missing === 'user' ? 'user_01J00000000000000000000000' : (await newUser()).id,
      organization_id: missing === 'organization' ? 'org_01J00000000000000000000000' : await newOrganization(),
    };
    expect((await call('POST', MEMBERSHIPS, pair)).status).toBe(404);
    expect((await call('GET', `${MEMBERSHIPS}?${new URLSearchParams(pair).toString()}`)).status).toBe(404);
  });

  test('is not found by an invalid id', async () => {
    for (const verb of ['deactivate', 'reactivate']) {
      expect(await call('PUT', `${MEMBERSHIPS}/nonsense/${verb}`)).toMatchObject({
        status: 422,
        body: { code: 'invalid_request_parameters', errors: [{ field: 'id' }] },
      });
    }
  });
});

describe('roles of a membership', () => {
  test('can be roles of the environment and of the organization, in the order of priority', async () => {
    const [user, organization] = [await newUser(), await newOrganization()];
    const pair = { user_id: user.id, organization_id: organization };
    const rejection = { status: 422, body: { code: 'invalid_role', role_slug: 'editor' } };
    expect(await call('POST', MEMBERSHIPS, { ...pair, role_slug: 'editor' })).toMatchObject(rejection);
    await call('POST', '/authorization/roles', { slug: 'editor', name: 'Editor' });
    const made = await newMembership(user.id, organization, { role_slugs: ['editor', 'admin', 'editor'] });
    expect(made).toMatchObject({ role: { slug: 'admin' }, roles: [{ slug: 'admin' }, { slug: 'editor' }] });
    const path = `/authorization/organizations/${await newOrganization()}/roles`;
    await call('POST', path, { slug: 'org-editor', name: 'Editor' });
    expect(await call('PUT', `${MEMBERSHIPS}/${made.id}`, { role_slugs: ['member', 'org-editor'] })).toMatchObject({
      status: 422,
      body: { code: 'invalid_role', role_slug: 'org-editor' },
    });
    expect((await call('GET', `${MEMBERSHIPS}/${made.id}`)).body).toMatchObject({ role: { slug: 'admin' } });
  });

  test('cannot be set in the settings, whose error names the operation that creates roles', async () => {
    const { status, body } = await call('PUT', '/x/user-management/settings', { roles: [{ slug: 'editor' }] });
    expect({ status, text: JSON.stringify(body) }).toMatchObject({
      status: 422,
      text: expect.stringContaining('POST /authorization/roles'),
    });
    expect((await call('PUT', '/x/user-management/settings', { multiple_roles: false })).status).toBe(200);
  });

  test('are limited to one if the settings disable several', async () => {
    await settings({ multiple_roles: false });
    const [user, organization] = [await newUser(), await newOrganization()];
    const pair = { user_id: user.id, organization_id: organization };
    const several = { role_slugs: ['admin', 'member'] };
    const rejection = { status: 422, body: { code: 'multiple_roles_not_enabled' } };
    expect(await call('POST', MEMBERSHIPS, { ...pair, ...several })).toMatchObject(rejection);
    const { id } = await newMembership(user.id, organization, { role_slugs: ['admin'] });
    expect(await call('PUT', `${MEMBERSHIPS}/${id}`, several)).toMatchObject(rejection);
  });

  test('are rejected if both `role_slug` and `role_slugs` are given', async () => {
    const pair = { user_id: (await newUser()).id, organization_id: await newOrganization() };
    const both = { ...pair, role_slug: 'admin', role_slugs: ['admin'] };
    expect(await call('POST', MEMBERSHIPS, both)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'role_slugs' }] },
    });
  });
});

describe('the list of memberships', () => {
  test('contains active ones by default, for a user and for an organization', async () => {
    const [user, organization] = [await newUser(), await newOrganization()];
    const active = await addMembership(user.id, organization, 'active');
    const pending = await addMembership(user.id, await newOrganization(), 'pending');
    const inactive = await addMembership((await newUser()).id, organization, 'inactive');
    await idle();
    expect(await listed(`user_id=${user.id}`)).toEqual([active]);
    expect(await listed(`user_id=${user.id}&statuses=pending,active&order=asc`)).toEqual([active, pending]);
    expect(await listed(`organization_id=${organization}`)).toEqual([active]);
    const every = `organization_id=${organization}&statuses=inactive,pending,active`;
    expect(await listed(every)).toEqual([inactive, active]);
    expect(await listed(`${every}&user_id=${user.id}`)).toEqual([active]);
  });

  test('of a user is strongly consistent', async () => {
    const user = await newUser();
    for (let at = 0; at < 5; at += 1) {
      const { id } = await newMembership(user.id, await newOrganization());
      expect(await listed(`user_id=${user.id}`)).toContain(id);
    }
  });

  test('of an organization has pages by id, each once, with several statuses', async () => {
    const organization = await newOrganization();
    const statuses = ['active', 'pending', 'inactive'] as const;
    const ids = await Promise.all(
      Array.from({ length: 17 }, async (_, at) => addMembership((await newUser()).id, organization, statuses[at % 3])),
    );
    await idle();
    const query = `${MEMBERSHIPS}?organization_id=${organization}&statuses=active,pending,inactive&limit=4`;
    expect(await allIds(`${query}&order=asc`)).toEqual(ids.toSorted());
    expect(await allIds(`${query}&order=desc`)).toEqual(ids.toSorted().reverse());
  });

  test('requires a user or an organization', async () => {
    expect(await call('GET', MEMBERSHIPS)).toMatchObject({
      status: 400,
      body: { code: 'missing_user_id_or_organization_id' },
    });
    const { id } = await newUser();
    expect(await call('GET', `${MEMBERSHIPS}?user_id=${id}&statuses=asleep`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request_parameters' },
    });
  });
});
