import { beforeEach, describe, expect, test } from '@jest/globals';

import { addTypes } from '../../support/resource-types.ts';
import { call, reset, service } from '../../support/service.ts';
import { alice, BASE, bob, evaluate, evaluations, fixture, newUser, ownResource, record } from './authzen-fixture.ts';
import { EXPECTED, PEOPLE, ROLES, TODOS } from './todo-scenario.ts';
import { assign, newMember, newOrganization, newPermission, newResource, newRole } from './world.ts';

beforeEach(async () => {
  await reset();
});

describe('the Todo scenario of the AuthZEN working group', () => {
  test('gets the 40 expected decisions, one by one and in one batch', async () => {
    await addTypes({ todo: ['organization'], user: ['organization'] });
    const organizationId = await newOrganization();
    for (const slug of new Set(Object.values(ROLES).flat())) await newPermission(slug, 'todo');
    for (const [slug, permissions] of Object.entries(ROLES)) {
      if (slug === 'admin') await call('PUT', '/authorization/roles/admin/permissions', { permissions });
      else await newRole(slug, slug === 'owner' ? 'todo' : 'organization', permissions);
    }
    const members = new Map<string, string>();
    for (const [email, roles] of Object.entries(PEOPLE)) {
      members.set(email, (await newUser(organizationId, email, undefined, roles)).membershipId);
      await newResource(organizationId, 'user', undefined, email);
    }
    for (const [id, owner] of Object.entries(TODOS)) {
      const todo = await newResource(organizationId, 'todo', undefined, id);
      const isEditor = owner !== undefined && (PEOPLE[owner] as readonly string[])[0] !== 'viewer';
      if (isEditor) await assign(members.get(owner) ?? '', 'owner', todo.id);
    }
    const requests = EXPECTED.map(({ subject, action, resource }) => ({
      subject: { type: 'user', id: subject },
      action: { name: action },
      resource,
    }));
    const decided = EXPECTED.map(({ decision }) => ({ decision }));
    const single = await Promise.all(requests.map((body) => call('POST', `${BASE}/evaluation`, body)));
    expect(single.map(({ status, body }) => [status, body])).toEqual(decided.map((body) => [200, body]));
    expect((await evaluations({ evaluations: requests })).body).toEqual({ evaluations: decided });
  });
});

describe('an evaluation', () => {
  test('accepts a membership id, user id, external id or email as the subject, and either id of a resource', async () => {
    const { organizationId, alice: a, records } = await fixture();
    const subjects = [
      alice,
      { type: 'user', id: a.userId },
      { type: 'user', id: 'Alice@example.com' },
      { type: 'organization_membership', id: a.membershipId },
    ];
    for (const subject of subjects) {
      for (const resource of [record, { type: 'record', id: records[0] }]) {
        expect((await evaluate(subject, 'write', resource)).body).toEqual({ decision: true });
        expect((await evaluate(subject, 'delete', resource)).body).toEqual({ decision: false });
        const context = { organization_id: organizationId, time: '1985-10-26T01:22-07:00' };
        expect((await evaluate(subject, 'write', resource, { context })).body).toEqual({ decision: true });
      }
    }
    for (const id of [organizationId, ownResource(organizationId)]) {
      expect((await evaluate(alice, 'read', { type: 'organization', id })).body).toEqual({ decision: false });
    }
  });

  test('of a user with several organizations requires the organization or the id of the resource', async () => {
    const { organizationId, alice: a, records } = await fixture();
    const other = await newOrganization();
    const body = { user_id: a.userId, organization_id: other };
    await call('POST', '/user_management/organization_memberships', body);
    expect((await evaluate(alice, 'write', record)).body).toEqual({ decision: false });
    expect((await evaluate(alice, 'write', { type: 'record', id: records[0] })).body).toEqual({ decision: true });
    const here = { context: { organization_id: organizationId } };
    expect((await evaluate(alice, 'write', record, here)).body).toEqual({ decision: true });
    const there = { context: { organization_id: other } };
    for (const id of ['record-1', records[0]]) {
      expect((await evaluate(alice, 'write', { type: 'record', id }, there)).body).toEqual({ decision: false });
    }
  });

  test('gets the same denial for anything unknown, of another type or of another organization', async () => {
    const { alice: a, records } = await fixture();
    const stranger = await newMember(await newOrganization());
    const asked: [object, string, object][] = [
      [{ type: 'user', id: 'nobody' }, 'read', record],
      [{ type: 'user', id: 'none@example.com' }, 'read', record],
      [{ type: 'user', id: 'user_01JX0000000000000000000000' }, 'read', record],
      [{ type: 'organization_membership', id: stranger }, 'read', { type: 'record', id: records[0] }],
      [{ type: 'organization_membership', id: a.userId }, 'read', record],
      [{ type: 'spaceship', id: 'alice' }, 'read', record],
      [alice, 'unknown', record],
      [alice, 'read', { type: 'record', id: 'record-9' }],
      [alice, 'read', { type: 'organization', id: records[0] }],
      [alice, 'read', { type: 'none', id: 'record-1' }],
      [alice, 'read', { type: 'record#x', id: 'record-1' }],
      [alice, '__proto__', { type: '__proto__', id: '\u{1F511}\uFFFF' }],
    ];
    for (const parts of asked) {
      const { status, body } = await evaluate(...parts);
      expect([parts, status, body]).toEqual([parts, 200, { decision: false }]);
    }
  });

  test('ignores properties and unknown members, and returns the request id that was sent', async () => {
    await fixture();
    const subject = { ...alice, properties: { department: 'Sales' }, more: 1 };
    const id = 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716';
    const body = { subject, action: { name: 'read', properties: { method: 'GET' } }, resource: record, foo: 'bar' };
    const response = await call('POST', `${BASE}/evaluation`, body, { headers: { 'x-request-id': id } });
    expect([response.body, response.headers['x-request-id']]).toEqual([{ decision: true }, id]);
  });

  test('is rejected with 400 if a member is missing or of another type, and if the body is not JSON', async () => {
    const whole = { subject: alice, action: { name: 'read' }, resource: record };
    const wrong: object[] = [
      ...Object.keys(whole).map((name) => ({ ...whole, [name]: undefined })),
      { ...whole, subject: 'alice' },
      { ...whole, subject: { id: 'alice' } },
      { ...whole, subject: { type: 'user' } },
      { ...whole, action: {} },
      { ...whole, action: { name: 123 } },
      { ...whole, resource: { type: 'record' } },
      { ...whole, resource: { id: 'x' } },
      { ...whole, subject: { type: 'user', id: 'x'.repeat(1_025) } },
      { ...whole, context: 'x' },
    ];
    for (const body of wrong) {
      expect([body, (await call('POST', `${BASE}/evaluation`, body)).status]).toEqual([body, 400]);
      expect([body, (await evaluations(body)).status]).toEqual([body, 400]);
    }
    const raw: [string, string][] = [
      ['{', 'application/json'],
      ['', 'application/json'],
      [JSON.stringify(whole), 'text/plain'],
      [`${'[{"a":'.repeat(5_000)}1`, 'application/json'],
    ];
    for (const [rawBody, type] of raw) {
      const headers = { 'content-type': type };
      expect((await call('POST', `${BASE}/evaluation`, undefined, { rawBody, headers })).status).toBe(400);
    }
  });
});

describe('a batch of evaluations', () => {
  const both = [{ action: { name: 'write' } }, { action: { name: 'delete' } }, { action: { name: 'read' } }];
  const of = (decisions: readonly boolean[]) => ({ evaluations: decisions.map((decision) => ({ decision })) });

  test('fills missing members from its defaults, keeps its order, and stops where its `evaluations_semantic` says', async () => {
    await fixture();
    const ask = async (evaluations_semantic?: string, subject: object = alice) =>
      (await evaluations({ subject, resource: record, evaluations: both, options: { evaluations_semantic } })).body;
    expect(await ask()).toEqual(of([true, false, true]));
    expect(await ask('execute_all')).toEqual(of([true, false, true]));
    expect(await ask('deny_on_first_deny')).toEqual(of([true, false]));
    expect(await ask('permit_on_first_permit')).toEqual(of([true]));
    expect(await ask('permit_on_first_permit', bob)).toEqual(of([false, false, true]));
    expect(await ask('deny_on_first_deny', bob)).toEqual(of([false]));
    const mixed = [{}, { subject: bob, action: { name: 'write' } }];
    const body = { subject: alice, action: { name: 'write' }, resource: record, evaluations: mixed };
    expect((await evaluations(body)).body).toEqual(of([true, false]));
  });

  test('without entries is one evaluation', async () => {
    await fixture();
    const body = { subject: alice, action: { name: 'read' }, resource: record };
    expect((await evaluations(body)).body).toEqual({ decision: true });
    expect((await evaluations({ ...body, evaluations: [] })).body).toEqual({ decision: true });
  });

  test('returns a denial with an error for an incomplete entry, and accepts at most 100 entries', async () => {
    await fixture();
    const body = { subject: alice, action: { name: 'read' } };
    const response = await evaluations({ ...body, evaluations: [{ resource: record }, {}, { resource: record }] });
    expect(response.status).toBe(200);
    expect(response.body.evaluations?.map(({ decision }) => decision)).toEqual([true, false, true]);
    expect(response.body.evaluations?.[1]?.context).toMatchObject({ error: { status: 400 } });
    const many = (count: number) => evaluations({ ...body, evaluations: Array(count).fill({ resource: record }) });
    expect((await many(100)).body).toEqual(of(Array(100).fill(true)));
    expect((await many(101)).status).toBe(400);
    const options = { evaluations_semantic: 'whatever' };
    expect((await evaluations({ ...body, resource: record, evaluations: [{}], options })).status).toBe(400);
  });
});

test('the metadata of the policy decision point lists endpoints that respond', async () => {
  await fixture();
  const { url } = await service();
  const { status, body } = await call<Record<string, string>>('GET', '/.well-known/authzen-configuration', undefined, {
    apiKey: null,
  });
  expect([status, body['policy_decision_point']]).toEqual([200, url]);
  expect(Object.values(body).filter((address) => !address.startsWith(url))).toEqual([]);
  const path = body['access_evaluation_endpoint']?.slice(url.length) ?? '';
  const request = { subject: alice, action: { name: 'read' }, resource: record };
  expect((await call('POST', path, request)).body).toEqual({ decision: true });
});
