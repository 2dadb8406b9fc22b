import { beforeEach, expect, test } from '@jest/globals';

import { newWebhookConsumer } from '../../support/signed-webhooks.ts';
import { call, idle, reset } from '../../support/service.ts';
import { newProvider, newScimGroup, newScimUser, patch } from './scim.ts';

beforeEach(() => reset({ calm: true }));

test('each event of directories to which endpoints can subscribe is delivered with a valid signature', async () => {
  const consumer = await newWebhookConsumer([
    'dsync.activated',
    'dsync.deleted',
    ...['created', 'updated', 'deleted'].map((name) => `dsync.user.${name}`),
    ...['created', 'updated', 'deleted', 'user_added', 'user_removed'].map((name) => `dsync.group.${name}`),
  ]);
  const provider = await newProvider();
  const { id: directoryId } = provider.directory;
  const user = await newScimUser(provider, 'ada@acme.example');
  const group = await newScimGroup(provider, 'Engineers', [user.id]);
  const titled = patch({ op: 'replace', path: 'title', value: 'Analyst' });
  expect((await provider.send('PATCH', `/Users/${user.id}`, titled)).status).toBe(200);
  const renamed = patch({ op: 'replace', path: 'displayName', value: 'Builders' }, { op: 'remove', path: 'members' });
  expect((await provider.send('PATCH', `/Groups/${group.id}`, renamed)).status).toBe(204);
  expect((await provider.send('DELETE', `/Groups/${group.id}`)).status).toBe(204);
  expect((await provider.send('DELETE', `/Users/${user.id}`)).status).toBe(204);
  await idle();
  expect((await call('DELETE', `/directories/${directoryId}`)).status).toBeLessThan(300);
  for (const { event, data } of await consumer.untilAll()) {
    expect([event, data.directory_id ?? data.id]).toEqual([event, directoryId]);
  }
});
