import { beforeEach, describe, expect, test } from '@jest/globals';

import { clock } from '../../../functions/kernel/clock.ts';
import { makeListGrant } from '../../../functions/kernel/authentication/grant.ts';
import { askAs, openConsole } from '../../support/console.ts';
import { advance, call, now, reset } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';

beforeEach(async () => {
  await reset({ calm: true });
  await openConsole();
  clock.advance((await now()) - clock.now());
});

describe('the grant of an export', () => {
  /** A grant that allows the list of users with a filter. */
  async function makeGrant(query: Record<string, string>): Promise<string> {
    const environmentId = await environment();
    const { value, write } = makeListGrant(
      environmentId,
      {
        actor: { id: 'user_1', source: 'dashboard', name: 'Ada' },
        operator: {
          permissions: new Set(['config.read', 'people.read'] as const),
          roles: [],
          sessionHash: 'hash',
          address: '192.0.2.1',
          steppedUpUntil: 4e12,
        },
      },
      'people.read',
      { operation: 'users.list', params: {}, query },
    );
    await commitRows(environmentId, [write]);
    return value;
  }

  test('allows its list with its filter in pages, and no other call', async () => {
    const grant = await makeGrant({ email: 'ada@acme.example' });
    const allowed = '/user_management/users?email=ada%40acme.example';
    const statuses: [string, number][] = [];
    for (const path of [
      allowed,
      `${allowed}&limit=100&order=asc`,
      '/user_management/users',
      '/user_management/users?email=bob%40acme.example',
      `${allowed}&email=bob%40acme.example`,
      `${allowed}&organization_id=org_01JX0000000000000000000000`,
      `${allowed}&before=user_01JX0000000000000000000000`,
      '/user_management/invitations?email=ada%40acme.example',
      '/organizations',
      '/x/resource_exports',
    ]) {
      statuses.push([path, (await call('GET', path, undefined, { apiKey: grant })).status]);
    }
    const act = await askAs(grant, 'POST', '/x/resource_exports', { list: 'users' });
    expect([...statuses.map(([, status]) => status), act.status]).toEqual([
      200,
      200,
      ...Array.from({ length: 9 }, () => 403),
    ]);
  });

  test('is valid for an hour', async () => {
    const grant = await makeGrant({});
    const read = async () => (await call('GET', '/user_management/users', undefined, { apiKey: grant })).status;
    expect(await read()).toBe(200);
    await advance(3_601);
    expect(await read()).toBe(401);
  });
});
