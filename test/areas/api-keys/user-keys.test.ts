import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, sdk } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { newOrganization } from '../../support/organizations.ts';

interface Key {
  id: string;
  value: string;
  owner: Record<string, string>;
}

const create = (userId: string, organization_id: string) =>
  call<Key>('POST', `/user_management/users/${userId}/api_keys`, { name: 'Laptop', organization_id });

beforeEach(() => reset());

describe('an API key of a user', () => {
  test('is valid within an organization of which the user is an active member', async () => {
    const [userId, organizationId] = [await addUser(), await newOrganization()];
    await addMembership(userId, organizationId, 'active');
    const { status, body } = await create(userId, organizationId);
    expect({ status, owner: body.owner }).toEqual({
      status: 201,
      owner: { type: 'user', id: userId, organization_id: organizationId },
    });
    expect((await call('POST', '/api_keys/validations', { value: body.value })).body).toMatchObject({
      api_key: { id: body.id, owner: body.owner },
    });
    await idle();
    const { data } = await sdk().userManagement.listUserApiKeys(userId);
    expect(data.map(({ id }) => id)).toEqual([body.id]);
    expect((await call('DELETE', `/api_keys/${body.id}`)).status).toBe(204);
    expect((await call('POST', '/api_keys/validations', { value: body.value })).body).toEqual({ api_key: null });
  });

  test.each(['inactive', 'pending', undefined] as const)(
    'cannot be created for a member who is %s',
    async (membershipStatus) => {
      const [userId, organizationId] = [await addUser(), await newOrganization()];
      if (membershipStatus !== undefined) await addMembership(userId, organizationId, membershipStatus);
      expect(await create(userId, organizationId)).toMatchObject({
        status: 422,
        body: { code: 'user_not_in_organization' },
      });
    },
  );

  test('can be listed by organization', async () => {
    const userId = await addUser();
    const [one, other] = [await newOrganization('One'), await newOrganization('Other')];
    for (const id of [one, other]) {
      await addMembership(userId, id, 'active');
      await create(userId, id);
    }
    await idle();
    const { body } = await call<{ data: Key[] }>(
      'GET',
      `/user_management/users/${userId}/api_keys?organization_id=${one}`,
    );
    expect(body.data.map(({ owner }) => owner.organization_id)).toEqual([one]);
  });

  test('cannot be created for an unknown user', async () => {
    const unknownUserId = 'user_01K0G000000000000000000000';
    expect((await create(unknownUserId, await newOrganization())).status).toBe(404);
    expect((await call('GET', `/user_management/users/${unknownUserId}/api_keys`)).status).toBe(404);
  });
});
