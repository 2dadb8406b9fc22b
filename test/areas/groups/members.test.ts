import { beforeEach, describe, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { advance, call, idle, reset, sdk } from '../../support/service.ts';
import { readRows } from '../../support/users.ts';
import {
  addMember,
  all,
  type Group,
  readGroupIds,
  memberIds,
  membersPath,
  newGroup,
  newMember,
  newOrganization,
  removeMember,
  eventsNamed,
} from './support.ts';

const MOST_GROUPS = 50;

let acme: string;
let group: Group;
beforeEach(async () => {
  await reset();
  acme = await newOrganization();
  group = await newGroup(acme);
});

describe('a member of a group', () => {
  test('is added, listed and removed by the official client', async () => {
    const { groups } = sdk();
    const membership = await newMember(acme);
    const params = { organizationId: acme, groupId: group.id };
    const added = await groups.addOrganizationMembership({ ...params, organizationMembershipId: membership });
    expect(added).toMatchObject({ object: 'group', id: group.id });
    const { data } = await groups.listOrganizationMemberships(params);
    expect(data).toMatchObject([{ object: 'organization_membership', id: membership, status: 'active' }]);
    expect(await readGroupIds(membership)).toEqual([group.id]);
    await groups.removeOrganizationMembership({ ...params, organizationMembershipId: membership });
    expect(await memberIds(group)).toEqual([]);
    expect(await readGroupIds(membership)).toEqual([]);
  });

  test('emits events when it is added and removed, and none if nothing changes', async () => {
    const consumer = await receiver();
    const names = ['group.member_added', 'group.member_removed'];
    await call('POST', '/webhook_endpoints', { endpoint_url: consumer.url, events: names });
    const membership = await newMember(acme);
    for (let time = 0; time < 2; time += 1) expect((await addMember(group, membership)).status).toBe(200);
    expect((await removeMember(group, membership)).status).toBe(204);
    expect((await removeMember(group, membership)).status).toBe(404);
    const events = await eventsNamed(...names);
    expect(events.map(({ event }) => event)).toEqual(names);
    const data = { group_id: group.id, organization_membership_id: membership };
    expect(events.map((event) => event.data)).toEqual([data, data]);
    expect(await consumer.until(2)).toHaveLength(2);
  });

  test.each(['inactive', 'pending'] as const)('may be %s', async (status) => {
    const membership = await newMember(acme, status);
    expect((await addMember(group, membership)).status).toBe(200);
    expect(await memberIds(group)).toEqual([membership]);
  });

  test('is listed in pages in the order of the memberships, the newest first by default', async () => {
    const memberships: string[] = [];
    for (let at = 0; at < 5; at += 1) memberships.push(await newMember(acme));
    await Promise.all(memberships.toReversed().map((membership) => addMember(group, membership)));
    expect(await all(membersPath(group), 2)).toMatchObject(memberships.map((id) => ({ id })));
    const { body } = await call<{ data: { id: string }[] }>('GET', membersPath(group));
    expect(body.data.map(({ id }) => id)).toEqual(memberships.toReversed());
    expect(body.data[0]).toMatchObject({ organization_name: 'Acme' });
    expect(body.data[0]).not.toHaveProperty('role');
  });

  test('is listed with its whole user', async () => {
    const members = [await newMember(acme), await newMember(acme, 'inactive')];
    for (const membership of members) await addMember(group, membership);
    const listed = await all<{ id: string; user_id: string; user: object }>(membersPath(group));
    expect(listed.map(({ id }) => id)).toEqual(members);
    for (const { user_id, user } of listed) {
      expect(user).toEqual((await call('GET', `/user_management/users/${user_id}`)).body);
    }
  });

  test('must belong to the group’s organization', async () => {
    const other = await newOrganization('Other');
    const foreigner = await newMember(other);
    expect((await addMember(group, foreigner)).status).toBe(404);
    expect((await addMember({ ...group, organization_id: other }, foreigner)).status).toBe(404);
    expect((await removeMember(group, foreigner)).status).toBe(404);
    expect((await addMember(group, 'om_01J00000000000000000000000')).status).toBe(404);
    expect((await addMember(group, '../../x#y')).status).toBe(404);
    expect(await memberIds(group)).toEqual([]);
    const foreign = await newGroup(other);
    expect((await call('GET', membersPath({ ...foreign, organization_id: acme }))).status).toBe(404);
  });

  test('can be in at most 50 groups, even with parallel requests', async () => {
    const membership = await newMember(acme);
    const groups: Group[] = [];
    for (let at = 0; at < MOST_GROUPS + 2; at += 1) groups.push(await newGroup(acme, `Group ${at}`));
    for (const each of groups.slice(0, MOST_GROUPS - 1)) expect((await addMember(each, membership)).status).toBe(200);
    const raced = await Promise.all(groups.slice(MOST_GROUPS - 1).map((each) => addMember(each, membership)));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(raced.find(({ status }) => status === 400)?.body).toMatchObject({ code: 'group_membership_limit_exceeded' });
    expect(await readGroupIds(membership)).toHaveLength(MOST_GROUPS);
    expect((await addMember(groups[0] as Group, membership)).status).toBe(200);
    const [first] = groups as [Group];
    await call('DELETE', `/organizations/${acme}/groups/${first.id}`);
    const [last] = raced.flatMap(({ status }, at) => (status === 400 ? [groups[MOST_GROUPS - 1 + at] as Group] : []));
    expect((await addMember(last as Group, membership)).status).toBe(200);
  });

  test('leaves its groups when its membership is deleted, with an event for each', async () => {
    const other = await newGroup(acme, 'Other');
    const [membership, kept] = [await newMember(acme), await newMember(acme)];
    for (const each of [group, other]) for (const om of [membership, kept]) await addMember(each, om);
    await call('DELETE', `/user_management/organization_memberships/${membership}`);
    const removed = await eventsNamed('group.member_removed');
    expect(removed.map(({ data }) => data.group_id).sort()).toEqual([group.id, other.id].sort());
    expect(await memberIds(group)).toEqual([kept]);
    expect((await readRows(membership)).filter((kind) => kind.includes('group'))).toEqual([]);
    expect((await call('GET', `/user_management/organization_memberships/${membership}/groups`)).status).toBe(404);
  });

  test('loses the roles of a deleted group, and does not join a new group with its name', async () => {
    const memberships = [await newMember(acme), await newMember(acme)];
    for (const membership of memberships) await addMember(group, membership);
    await call('DELETE', `/organizations/${acme}/groups/${group.id}`);
    for (const membership of memberships) expect(await readGroupIds(membership)).toEqual([]);
    expect((await call('GET', membersPath(group))).status).toBe(404);
    await idle();
    expect((await readRows(group.id)).filter((kind) => !/event|idempotency/.test(kind))).toEqual([]);
    expect(await eventsNamed('group.member_removed')).toEqual([]);
    expect(await memberIds(await newGroup(acme))).toEqual([]);
  });

  test('is erased with the organization, without a remaining row', async () => {
    const membership = await newMember(acme);
    await addMember(group, membership);
    await call('DELETE', `/organizations/${acme}`);
    expect((await call('GET', `/user_management/organization_memberships/${membership}/groups`)).status).toBe(404);
    await idle();
    // The second sweep also finds the rows that the index of owned rows did not show yet.
    await advance(700);
    await idle();
    expect((await readRows(group.id)).filter((kind) => !/event|idempotency/.test(kind))).toEqual([]);
  });

  test('that is added while the group is deleted is not in it afterwards', async () => {
    for (let round = 0; round < 5; round += 1) {
      const raced = await newGroup(acme, `Raced ${round}`);
      const memberships = [await newMember(acme), await newMember(acme)];
      const [removed, ...added] = await Promise.all([
        call('DELETE', `/organizations/${acme}/groups/${raced.id}`),
        ...memberships.map((membership) => addMember(raced, membership)),
      ]);
      expect(removed.status).toBe(204);
      for (const { status } of added) expect([200, 404]).toContain(status);
      await idle();
      for (const membership of memberships) expect(await readGroupIds(membership)).toEqual([]);
      expect((await readRows(raced.id)).filter((kind) => kind.startsWith('group-m'))).toEqual([]);
    }
  });

  test('that is concurrently added and removed has the same state in every list', async () => {
    const membership = await newMember(acme);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([addMember(group, membership), removeMember(group, membership)]);
      const [members, groups] = [await memberIds(group), await readGroupIds(membership)];
      expect(members.includes(membership)).toBe(groups.includes(group.id));
    }
  });
});
