import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { sendLinesTo } from '../../../functions/kernel/log.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import type { Api } from '../../contract/samples/sample.ts';
import { openTarget, type Target } from '../../contract/target.ts';

let target: Target;
let here: Api;
const lines: string[] = [];
const level = process.env.GATEHOUSE_LOG_LEVEL;
beforeAll(async () => {
  target = await openTarget();
  here = target.apiWith(target.keys.here);
  process.env.GATEHOUSE_LOG_LEVEL = 'info';
  forgetSettings();
  sendLinesTo((line) => lines.push(line));
});
afterAll(async () => {
  sendLinesTo((line) => void process.stdout.write(`${line}\n`));
  if (level === undefined) delete process.env.GATEHOUSE_LOG_LEVEL;
  else process.env.GATEHOUSE_LOG_LEVEL = level;
  forgetSettings();
  await target.stop();
});
beforeEach(() => void lines.splice(0));

const SETTINGS = '/x/authorization/settings';
const json = (body: object) => ({ body: JSON.stringify(body) });
const post = async (path: string, body: object) => here.send('POST', path, json(body));

/** The decisions that were written since the last test began. */
const written = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ message }) => message === 'authorization decision');

/** A member with one permission at its organization. */
async function member() {
  const { id: organization_id } = await here.create('/organizations', { name: 'Acme' });
  const { id: user_id } = await here.create('/user_management/users', {
    email: `a-${String(organization_id)}@example.com`,
  });
  const { id } = await here.create('/user_management/organization_memberships', { user_id, organization_id });
  const resource = String(organization_id).replace('org_', 'authz_resource_');
  return { id: String(id), organizationId: String(organization_id), resource };
}

/** Asks for a denial by each of the three operations. */
async function askByEachOperation({ id, organizationId, resource }: Awaited<ReturnType<typeof member>>) {
  const check = { permission_slug: 'widgets:sso:manage', resource_id: resource };
  const subject = { type: 'organization_membership', id };
  const evaluation = {
    subject,
    action: { name: check.permission_slug },
    resource: { type: 'organization', id: organizationId },
  };
  const responses = [
    await post(`/authorization/organization_memberships/${id}/check`, check),
    await post('/x/authorization/check', { organization_membership_id: id, checks: [check, check] }),
    await post('/access/v1/evaluation', evaluation),
    await post('/access/v1/evaluations', { ...evaluation, evaluations: [{}, { action: { name: 'unknown' } }] }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
}

describe('the decision log', () => {
  test('is disabled by default, and records only denials or all decisions, as the setting specifies', async () => {
    const asked = await member();
    expect((await here.send('GET', SETTINGS)).json).toEqual({ decision_log: 'off', decision_log_sample: 1 });
    await askByEachOperation(asked);
    expect(written()).toEqual([]);
    await here.send('PUT', SETTINGS, json({ decision_log: 'denials' }));
    await askByEachOperation(asked);
    expect(written().map(({ via }) => via)).toEqual([
      'check',
      'check_many',
      'check_many',
      'authzen',
      'authzen',
      'authzen',
    ]);
    const line = { authorized: false, organization_membership_id: asked.id, permission_slug: 'widgets:sso:manage' };
    expect(written()[0]).toMatchObject({
      ...line,
      resource_id: asked.resource,
      resource_external_id: null,
      level: 'info',
    });
    await here.send('PUT', '/authorization/roles/member/permissions', json({ permissions: ['widgets:sso:manage'] }));
    lines.splice(0);
    await askByEachOperation(asked);
    // Only the unknown permission is denied at this point.
    expect(written().map(({ via, permission_slug: slug }) => [via, slug])).toEqual([['authzen', 'unknown']]);
    await here.send('PUT', SETTINGS, json({ decision_log: 'all' }));
    lines.splice(0);
    const writes = await target.recordWrites(() => askByEachOperation(asked));
    expect(written().filter(({ authorized }) => authorized)).toHaveLength(5);
    expect(writes).toEqual([]);
  });

  test('records the configured share of requests, each with all its decisions or none', async () => {
    const asked = await member();
    await here.send('PUT', SETTINGS, json({ decision_log: 'all', decision_log_sample: 0 }));
    await askByEachOperation(asked);
    expect(written()).toEqual([]);
    await here.send('PUT', SETTINGS, json({ decision_log: 'all', decision_log_sample: 0.5 }));
    const check = { permission_slug: 'widgets:sso:manage', resource_id: asked.resource };
    const body = { organization_membership_id: asked.id, checks: [check, check] };
    for (let at = 0; at < 100; at += 1) await post('/x/authorization/check', body);
    const count = written().length;
    expect(count % 2).toBe(0);
    // 50 of 100 are expected: fewer than 20 or more than 80 have a probability below one in a hundred million.
    expect(count / 2).toBeGreaterThan(20);
    expect(count / 2).toBeLessThan(80);
  });

  test('keeps its settings when an update is invalid', async () => {
    for (const body of [{ decision_log: 'some' }, { decision_log_sample: 2 }, { decision_log_sample: -1 }]) {
      expect((await here.send('PUT', SETTINGS, json(body))).status).toBe(422);
    }
  });
});

describe('an API key', () => {
  test('of another environment gets only denials and empty searches for records of this environment', async () => {
    const { id, organizationId, resource } = await member();
    const there = target.apiWith(target.keys.there);
    await here.send('PUT', '/authorization/roles/member/permissions', json({ permissions: ['widgets:sso:manage'] }));
    const subject = { type: 'organization_membership', id };
    for (const at of [organizationId, resource]) {
      const body = { subject, action: { name: 'widgets:sso:manage' }, resource: { type: 'organization', id: at } };
      expect((await here.send('POST', '/access/v1/evaluation', json(body))).json).toEqual({ decision: true });
      expect((await there.send('POST', '/access/v1/evaluation', json(body))).json).toEqual({ decision: false });
      for (const kind of ['subject', 'resource', 'action']) {
        const own = await here.send('POST', `/access/v1/search/${kind}`, json(body));
        expect((own.json as { results: unknown[] }).results.length).toBeGreaterThan(0);
        const found = await there.send('POST', `/access/v1/search/${kind}`, json(body));
        expect(found.json).toEqual({ page: { next_token: '', count: 0 }, results: [] });
      }
    }
  });

  test('without the permission for authorization gets no decision', async () => {
    const { id, organizationId } = await member();
    const body = {
      subject: { type: 'organization_membership', id },
      action: { name: 'widgets:sso:manage' },
      resource: { type: 'organization', id: organizationId },
    };
    const paths = ['evaluation', 'evaluations', 'search/subject', 'search/resource', 'search/action'];
    for (const path of paths) {
      const [elsewhere, unknown] = [target.apiWith(target.keys.elsewhere), target.apiWith(target.keys.unknown)];
      expect((await elsewhere.send('POST', `/access/v1/${path}`, json(body))).status).toBe(403);
      expect((await unknown.send('POST', `/access/v1/${path}`, json(body))).status).toBe(401);
    }
    for (const path of ['/x/authorization/export', '/x/authorization/openfga/model', SETTINGS]) {
      expect((await target.apiWith(target.keys.elsewhere).send('GET', path)).status).toBe(403);
    }
  });
});
