import { beforeEach, describe, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { call, eventually, idle, reset, sdk } from '../../support/service.ts';
import { all, type Group, type List, newGroup, newOrganization, eventsNamed } from './support.ts';

let acme: string;
beforeEach(async () => {
  await reset();
  acme = await newOrganization();
});

const path = (group: Group): string => `/organizations/${group.organization_id}/groups/${group.id}`;

describe('a group', () => {
  test('is created, read, changed and deleted by the official client', async () => {
    const { groups } = sdk();
    const made = await groups.createGroup({ organizationId: acme, name: 'Support', description: 'First line' });
    expect(made).toMatchObject({ object: 'group', organizationId: acme, name: 'Support', description: 'First line' });
    const renamed = await groups.updateGroup({
      organizationId: acme,
      groupId: made.id,
      name: 'Help',
      description: 'Second',
    });
    expect(renamed).toMatchObject({ id: made.id, name: 'Help', description: 'Second' });
    expect(await groups.getGroup({ organizationId: acme, groupId: made.id })).toEqual(renamed);
    await groups.deleteGroup({ organizationId: acme, groupId: made.id });
    await expect(groups.getGroup({ organizationId: acme, groupId: made.id })).rejects.toMatchObject({ status: 404 });
  });

  test('may have the name of another group, a null description, and any text of up to 256 characters', async () => {
    const name = `${'é'.repeat(250)}😀\uffff`;
    const [one, other] = [await newGroup(acme, name), await newGroup(acme, name, { description: null })];
    expect(one.id).not.toBe(other.id);
    expect(other).toMatchObject({ name, description: null });
    const cleared = await call<Group>('PATCH', path(one), { description: null });
    expect(cleared.body).toMatchObject({ name, description: null });
  });

  test.each([
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(257) }],
    ['name', { name: 'x'.repeat(65_536) }],
    ['name', {}],
    ['description', { name: 'a', description: 'x'.repeat(151) }],
    ['description', { name: 'a', description: 5 }],
  ])('is rejected with a 422 that names an invalid %s', async (member, body) => {
    const { status, body: rejected } = await call('POST', `/organizations/${acme}/groups`, body);
    expect([status, JSON.stringify(rejected)]).toEqual([422, expect.stringContaining(member)]);
  });

  test('emits an event for each change, and none if nothing changes', async () => {
    const group = await newGroup(acme);
    await call('PATCH', path(group), { name: 'Help' });
    await call('PATCH', path(group), { name: 'Help', description: null });
    await call('PATCH', path(group), {});
    await call('DELETE', path(group));
    const events = await eventsNamed('group.created', 'group.updated', 'group.deleted');
    expect(events.map(({ event }) => event).sort()).toEqual(['group.created', 'group.deleted', 'group.updated']);
    const updated = events.find(({ event }) => event === 'group.updated');
    expect(updated).toMatchObject({
      data: { object: 'group', id: group.id, name: 'Help' },
      context: { previous_attributes: { name: 'Support' } },
    });
  });

  test('sends each of its events to webhook endpoints', async () => {
    const consumer = await receiver();
    const names = ['group.created', 'group.updated', 'group.deleted'];
    await call('POST', '/webhook_endpoints', { endpoint_url: consumer.url, events: names });
    const group = await newGroup(acme);
    await call('PATCH', path(group), { name: 'Help' });
    await call('DELETE', path(group));
    const events = (await consumer.until(3)).map(({ body }) => (JSON.parse(body) as { event: string }).event);
    expect(events.sort()).toEqual([...names].sort());
  });

  test('is not found through another organization', async () => {
    const group = await newGroup(acme);
    const other = await newOrganization('Other');
    const foreign = `/organizations/${other}/groups/${group.id}`;
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
      expect((await call(method, foreign, body)).status).toBe(404);
    }
    expect((await call('GET', path(group))).body).toEqual(group);
  });

  test('is not found after its organization was deleted', async () => {
    const group = await newGroup(acme);
    await call('DELETE', `/organizations/${acme}`);
    expect((await call('GET', path(group))).status).toBe(404);
    expect((await call('GET', `/organizations/${acme}/groups`)).status).toBe(404);
    expect((await call('POST', `/organizations/${acme}/groups`, { name: 'Late' })).status).toBe(404);
    await idle();
  });

  test('that is concurrently changed and deleted is deleted, and its events are consistent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const group = await newGroup(acme);
      const [changed, removed] = await Promise.all([
        call('PATCH', path(group), { name: `Name ${round}` }),
        call('DELETE', path(group)),
      ]);
      expect([200, 404]).toContain(changed.status);
      expect(removed.status).toBe(204);
      expect((await call('GET', path(group))).status).toBe(404);
    }
    expect((await eventsNamed('group.deleted')).length).toBe(5);
  });
});

describe('the list of groups', () => {
  test('contains the groups of one organization, in pages', async () => {
    const other = await newOrganization('Other');
    const made = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) made.push((await newGroup(acme, name)).id);
    await newGroup(other, 'A');
    await idle();
    expect((await all<Group>(`/organizations/${acme}/groups`, 2)).map(({ id }) => id)).toEqual(made);
    const { body } = await call<List<Group>>('GET', `/organizations/${acme}/groups?limit=2`);
    expect(body.data.map(({ id }) => id)).toEqual(made.toReversed().slice(0, 2));
  });

  test('finds groups by prefixes of words in their names, and not by a former name', async () => {
    const other = await newOrganization('Other');
    const group = await newGroup(acme, 'Second-line Économie');
    await newGroup(acme, 'Sales');
    await newGroup(other, 'Second');
    const search = async (text: string) =>
      (await all<Group>(`/organizations/${acme}/groups?search=${encodeURIComponent(text)}`)).map(({ id }) => id);
    expect(await search('eco SEC')).toEqual([group.id]);
    expect(await search('line')).toEqual([group.id]);
    expect(await search('third')).toEqual([]);
    await call('PATCH', path(group), { name: 'Third' });
    expect(await search('second')).toEqual([]);
    expect(await search('thi')).toEqual([group.id]);
    await call('DELETE', path(group));
    await eventually(
      () => search('thi'),
      (found) => found.length === 0,
    );
  });

  test('rejects a cursor of another list', async () => {
    const { status } = await call('GET', `/organizations/${acme}/groups?after=om_01J00000000000000000000000`);
    expect(status).toBe(422);
  });
});
