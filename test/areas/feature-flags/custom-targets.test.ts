import { beforeEach, expect, test } from '@jest/globals';

import { tallies } from '../../../functions/access/feature-flags/target/entity.ts';
import { call, idle, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { evaluated, flagEvents, newFlag, addNewMember, newOrganization, onForUser } from './support.ts';

beforeEach(() => reset());

const custom = (slug: string, type: string, id: string, method: 'POST' | 'DELETE' = 'POST') =>
  call<{ message?: string; errors?: { field: string }[] }>(method, `/x/feature-flags/${slug}/targets/${type}/${id}`);

const poll = async () =>
  (await call<Record<string, { targets: { custom_targets?: object[] } }>>('GET', '/sdk/feature-flags')).body;

test('a custom target turns a flag on in the runtime client and OFREP, but not in the lists of users and organizations', async () => {
  const ada = await addNewMember(await newOrganization());
  await newFlag('beta', { enabled: true });
  expect((await custom('beta', 'team', '42')).status).toBe(204);
  expect((await custom('beta', 'team', '42')).status).toBe(204);
  expect(await evaluated({ team: { id: '42' } })).toEqual(['beta']);
  for (const context of [{ team: { id: '43' } }, { group: { id: '42' } }, { user: { id: '42' } }, {}]) {
    expect(await evaluated(context)).toEqual([]);
  }
  const responses = await call('POST', '/ofrep/v1/evaluate/flags', { context: { team: { id: '42' } } });
  expect(responses.body).toMatchObject({ flags: [{ value: true, reason: 'TARGETING_MATCH' }] });
  expect(await onForUser(ada)).toEqual([]);
  const { body } = await call('GET', '/sdk/feature-flags?payload_version=2');
  expect(body).toMatchObject({
    flags: { beta: { rules: [{ conditions: [{ target_type: 'team', operator: 'one_of', values: ['42'] }] }] } },
  });
  expect((await custom('beta', 'team', '42', 'DELETE')).status).toBe(204);
  expect((await custom('beta', 'team', '42', 'DELETE')).status).toBe(204);
  expect(await evaluated({ team: { id: '42' } })).toEqual([]);
  expect((await flagEvents()).map(({ event }) => event)).toEqual([
    'flag.created',
    'flag.rule_updated',
    'flag.rule_updated',
  ]);
});

test('rejects custom target types and ids that the runtime client ignores, and names them', async () => {
  await newFlag('beta', { enabled: true });
  const rejected: [string, string, string][] = [
    ['user', 'x', 'type'],
    ['organization', 'x', 'type'],
    ['Team', 'x', 'type'],
    ['9', 'x', 'type'],
    ['a'.repeat(65), 'x', 'type'],
    ['team', '..%20', 'id'],
    ['team', 'a%23b', 'id'],
    ['team', '%F0%9F%9A%80', 'id'],
    ['team', 'x'.repeat(256), 'id'],
  ];
  for (const [type, id, field] of rejected) {
    for (const method of ['POST', 'DELETE'] as const) {
      const { status, body } = await custom('beta', type, id, method);
      expect([type, id, status, body.errors?.[0]?.field]).toEqual([type, id, 422, field]);
    }
  }
  expect((await custom('alpha', 'team', '42')).status).toBe(404);
  expect((await custom('alpha', 'team', '42', 'DELETE')).status).toBe(404);
  expect((await poll()).beta?.targets).toEqual({ users: [], organizations: [] });
});

test('a flag has custom targets of at most 20 types, and a removed target makes room for another type', async () => {
  await newFlag('beta', { enabled: true });
  for (let at = 0; at < 20; at += 1) expect((await custom('beta', `t${at}`, '1')).status).toBe(204);
  expect((await custom('beta', 't0', '2')).status).toBe(204);
  expect(await custom('beta', 'other', '1')).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('20') },
  });
  await custom('beta', 't0', '1', 'DELETE');
  expect((await custom('beta', 'other', '1')).status).toBe(422);
  await custom('beta', 't0', '2', 'DELETE');
  expect((await custom('beta', 'other', '1')).status).toBe(204);
});

test('a long custom target counts as several targets, until it is removed or its flag is deleted', async () => {
  const environmentId = await environment();
  const count = async () => (await tallies.get(environmentId, 'all'))?.count;
  await newFlag('beta', { enabled: true });
  await newFlag('other', { enabled: true });
  const long = 'x'.repeat(255);
  await custom('beta', 'team', long);
  expect(await count()).toBe(9);
  await custom('other', 'team', long);
  await custom('beta', 'team', long, 'DELETE');
  expect(await count()).toBe(9);
  await call('DELETE', '/x/feature-flags/other');
  await idle();
  expect(await count()).toBe(0);
  await newFlag('other', { enabled: true });
  expect(await evaluated({ team: { id: long } })).toEqual([]);
});
