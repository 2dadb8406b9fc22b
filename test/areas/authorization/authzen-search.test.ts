import { beforeEach, describe, expect, test } from '@jest/globals';

import { idle, reset } from '../../support/service.ts';
import { alice, bob, evaluate, fixture, record, search } from './authzen-fixture.ts';
import { assign, newMember, newOrganization, newPermission, newResource, newRole, newWorld } from './world.ts';

beforeEach(async () => {
  await reset();
});

describe('AuthZEN searches', () => {
  const read = { name: 'read' };

  test('find the subjects, resources and actions that the certification scenario expects', async () => {
    const { alice: a, bob: b } = await fixture();
    const subjects = { subject: { type: 'user' }, action: read, resource: record };
    expect((await search('subject', subjects)).body.results).toEqual([alice, bob]);
    expect((await search('subject', { ...subjects, subject: alice })).body.results).toEqual([alice, bob]);
    const memberships = await search('subject', { ...subjects, subject: { type: 'organization_membership' } });
    expect(memberships.body.results.map(({ id }) => id)).toEqual([a.membershipId, b.membershipId]);
    const resources = { subject: alice, action: read, resource: { type: 'record' } };
    const found = ['record-1', 'record-2'].map((id) => ({ type: 'record', id }));
    expect((await search('resource', resources)).body.results).toEqual(found);
    expect((await search('resource', { ...resources, resource: record })).body.results).toEqual(found);
    const actions = await search('action', { subject: alice, resource: record });
    expect(actions.body.results).toEqual([{ name: 'read' }, { name: 'write' }]);
    expect(actions.body.page).toEqual({ next_token: '', count: 2 });
  });

  test('agree with single evaluations, page by page, also if roles are assigned on parent resources', async () => {
    const { organizationId, membershipId } = await newWorld();
    await newPermission('project:read', 'project');
    await newRole('lead', 'workspace', ['project:read']);
    const workspace = await newResource(organizationId, 'workspace');
    const expected: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      const parent = at % 2 === 0 ? workspace.id : undefined;
      const { id, external_id } = await newResource(organizationId, 'project', parent);
      if (parent !== undefined) expected.push(external_id);
      expect(
        (await evaluate({ type: 'organization_membership', id: membershipId }, 'project:read', { type: 'project', id }))
          .status,
      ).toBe(200);
    }
    await assign(membershipId, 'lead', workspace.id);
    await idle();
    const body = {
      subject: { type: 'organization_membership', id: membershipId },
      action: { name: 'project:read' },
      resource: { type: 'project' },
    };
    const found: string[] = [];
    for (let token: string | undefined = ''; token !== undefined;) {
      const page: { token?: string; limit?: number } = token === '' ? { limit: 2 } : { token };
      const { body: responseBody } = await search('resource', { ...body, page });
      expect(responseBody.results.length).toBe(responseBody.page.count);
      found.push(...responseBody.results.map(({ id }) => id ?? ''));
      token = responseBody.page.next_token === '' ? undefined : responseBody.page.next_token;
    }
    expect(found).toEqual(expected);
    const organization = { ...body, resource: { type: 'organization' } };
    expect((await search('resource', organization)).body.results).toEqual([]);
  });

  test('return an empty list for unknown values and for those of another organization', async () => {
    const { records } = await fixture();
    const other = await newOrganization();
    const stranger = { type: 'organization_membership', id: await newMember(other) };
    const foreign = { organization_id: other };
    const asked: [string, object][] = [
      ['subject', { subject: { type: 'spaceship' }, action: read, resource: record }],
      ['subject', { subject: { type: 'user' }, action: { name: 'unknown' }, resource: record }],
      ['subject', { subject: { type: 'user' }, action: read, resource: { type: 'record', id: 'none' } }],
      ['subject', { subject: { type: 'user' }, action: read, resource: record, context: foreign }],
      ['subject', { subject: { type: 'user' }, action: read, resource: { type: 'other', id: records[0] } }],
      ['resource', { subject: { type: 'user', id: 'none' }, action: read, resource: { type: 'record' } }],
      ['resource', { subject: alice, action: read, resource: { type: 'none' } }],
      ['resource', { subject: alice, action: read, resource: { type: 'record' }, context: foreign }],
      ['resource', { subject: stranger, action: read, resource: { type: 'record' } }],
      ['action', { subject: { type: 'user', id: 'none' }, resource: record }],
      ['action', { subject: stranger, resource: { type: 'record', id: records[0] } }],
      ['action', { subject: alice, resource: { type: 'other', id: records[0] } }],
    ];
    for (const [kind, body] of asked) {
      const response = await search(kind, body);
      expect([body, response.status, response.body.results]).toEqual([body, 200, []]);
    }
  });

  test('reject a request without a required member, and page tokens that are invalid or of another search', async () => {
    await fixture();
    const subjects = { subject: { type: 'user' }, action: read, resource: record };
    const first = await search('subject', { ...subjects, page: { limit: 1 } });
    const token = first.body.page.next_token;
    expect(first.body.results).toEqual([alice]);
    expect((await search('subject', { ...subjects, page: { token } })).body.results).toEqual([bob]);
    const wrong: [string, object][] = [
      ['subject', { subject: { type: 'user' }, resource: record }],
      ['subject', { ...subjects, resource: { type: 'record' } }],
      ['subject', { ...subjects, subject: {} }],
      ['resource', { action: read, resource: { type: 'record' } }],
      ['resource', { subject: { type: 'user' }, action: read, resource: { type: 'record' } }],
      ['action', { subject: alice }],
      ['subject', { ...subjects, page: { token, limit: 2 } }],
      ['subject', { ...subjects, action: { name: 'write' }, page: { token } }],
      ['action', { subject: alice, resource: record, page: { token } }],
      ...['x', 'e30', 'W10', 'bnVsbA', '%', Buffer.from('["om_1",1000,"x"]').toString('base64url')].map(
        (each): [string, object] => ['subject', { ...subjects, page: { token: each } }],
      ),
      ['subject', { ...subjects, page: { limit: 0 } }],
    ];
    for (const [kind, body] of wrong) expect([body, (await search(kind, body)).status]).toEqual([body, 400]);
  });
});
