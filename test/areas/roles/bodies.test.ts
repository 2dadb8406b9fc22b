import { beforeAll, describe, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';
import { newGroup, newOrganization } from '../groups/support.ts';

let paths: Record<string, [method: string, path: string]>;

beforeAll(async () => {
  await reset();
  const acme = await newOrganization();
  const group = await newGroup(acme);
  const own = `/authorization/organizations/${acme}/roles`;
  await call('POST', own, { slug: 'org-guest', name: 'Guest' });
  paths = {
    'a permission': ['POST', '/authorization/permissions'],
    'a role': ['POST', '/authorization/roles'],
    'a change of a role': ['PATCH', '/authorization/roles/member'],
    'a permission of a role': ['POST', '/authorization/roles/member/permissions'],
    'permissions of a role': ['PUT', '/authorization/roles/member/permissions'],
    'a role of an organization': ['POST', own],
    'a change of a role of an organization': ['PATCH', `${own}/org-guest`],
    'a permission of a role of an organization': ['POST', `${own}/org-guest/permissions`],
    'a resource': ['POST', '/authorization/resources'],
    'a group': ['POST', `/organizations/${acme}/groups`],
    'a change of a group': ['PATCH', `/organizations/${acme}/groups/${group.id}`],
  };
});

describe('a body that is not valid JSON', () => {
  test.each([
    ['no JSON', '{', 'application/json'],
    ['empty', '', 'application/json'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'application/octet-stream'],
    ['of another media type', 'name=Reader', 'application/x-www-form-urlencoded'],
  ])('is rejected with bad_request: %s', async (_, rawBody, type) => {
    for (const [name, [method, path]] of Object.entries(paths)) {
      const { status, body } = await call(method, path, undefined, { rawBody, headers: { 'content-type': type } });
      expect([name, status, body]).toEqual([name, 400, { code: 'bad_request', message: expect.any(String) }]);
    }
  });
});

describe('an unknown resource type', () => {
  test('returns not_found for a permission, a role and a role of an organization', async () => {
    const acme = await newOrganization();
    for (const path of [
      '/authorization/permissions',
      '/authorization/roles',
      `/authorization/organizations/${acme}/roles`,
    ]) {
      const body = {
        slug: path.includes(acme) ? 'org-reader' : 'reader',
        name: 'Reader',
        resource_type_slug: 'folder',
      };
      const response = await call('POST', path, body);
      expect(response).toMatchObject({ status: 404, body: { message: expect.stringContaining('resource_type_slug') } });
    }
  });
});
