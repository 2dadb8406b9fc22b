import { beforeEach, describe, expect, test } from '@jest/globals';

import { verifyExport } from '../../../functions/record/audit-logs/evidence/verify.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { OPERATOR_PERMISSIONS } from '../../../functions/kernel/authentication/operator-permission.ts';
import { openConsole, operatorGrant as grant } from '../../support/console.ts';
import { makeEvidence } from '../../support/evidence.ts';
import { exportOperatorsLog, readOperatorsLog } from '../../support/operators-log.ts';
import { newOrganization } from '../../support/organizations.ts';
import { addFault, advance, call, clearFaults, idle, reset } from '../../support/service.ts';
import { WHOLE_RANGE } from '../audit-logs/record.ts';
import { environment } from '../authentication/inside.ts';

const OPERATORS_ORGANIZATION = 'org_00000000000000000000000001';

const ask = (apiKey: string, method: string, path: string, body?: unknown, reason?: string) => {
  const headers = reason === undefined ? {} : { 'gatehouse-reason': encodeURIComponent(reason) };
  return call(method, path, body, { apiKey, headers });
};

beforeEach(async () => {
  await reset();
  await openConsole();
});

describe('an act of an operator', () => {
  test('is in the operators’ log once, with its author, target, address and reason', async () => {
    const value = await grant(['people.change']);
    const reason = 'Ticket 42: Grüße';
    const { status, body } = await ask(value, 'POST', '/organizations', { name: 'Acme' }, reason);
    expect(status).toBe(201);
    const lines = (await readOperatorsLog()).filter((line) => line.includes('organizations.create'));
    expect(lines).toHaveLength(1);
    for (const part of ['Ada', '192.0.2.1', reason, await environment(), 'people.change', 'support'])
      expect([part, lines[0]?.includes(part)]).toEqual([part, true]);
    expect((await call('GET', `/organizations/${String(body.id)}`)).status).toBe(200);
  });

  test('names the record of its path as a target', async () => {
    const id = await newOrganization('Acme');
    await ask(await grant(['people.change']), 'PUT', `/organizations/${id}`, { name: 'Acme AG' }, 'renamed by phone');
    const [line] = (await readOperatorsLog()).filter((each) => each.includes('organizations.update'));
    expect(line).toContain(id);
  });

  test('that gives no valid reason is rejected, and changes nothing', async () => {
    const value = await grant(['people.change']);
    for (const reason of [undefined, 'abc', 'x'.repeat(201), '   a   ']) {
      const { status, body } = await ask(value, 'POST', '/organizations', { name: 'Acme' }, reason);
      expect([reason, status, body.code]).toEqual([reason, 400, 'operator_reason_required']);
    }
    const headers = { 'gatehouse-reason': '%E0%A4%A' };
    const malformed = await call('POST', '/organizations', { name: 'Acme' }, { apiKey: value, headers });
    expect([malformed.status, malformed.body.code]).toEqual([400, 'operator_reason_required']);
    expect((await call('GET', '/organizations')).body).toMatchObject({ data: [] });
  });

  test('on the configuration needs no reason outside of production', async () => {
    const body = { uri: 'https://app.acme.example/callback' };
    const { status } = await ask(await grant(['config.change']), 'POST', '/user_management/redirect_uris', body);
    expect(status).toBe(201);
  });

  test('without permission is in the log before it is rejected', async () => {
    const { status } = await ask(
      await grant(['config.read']),
      'DELETE',
      `/organizations/${await newOrganization('Acme')}`,
    );
    expect(status).toBe(403);
    const [line] = (await readOperatorsLog()).filter((each) => each.includes('organizations.delete'));
    expect(line).toContain('rejected');
  });

  test('has an event whose actor has the source `dashboard`', async () => {
    await ask(await grant(['people.change']), 'POST', '/organizations', { name: 'Acme' }, 'a new customer');
    await idle();
    const { body } = await call<{ data: { context?: { actor?: unknown } }[] }>(
      'GET',
      '/events?events=organization.created',
    );
    expect(body.data[0]?.context?.actor).toEqual({ id: 'user_01', source: 'dashboard', name: 'Ada' });
  });
});

describe('a read of an operator', () => {
  test('is not in the log, except for a revealed secret', async () => {
    const stored = await call('POST', '/vault/v1/kv', {
      name: 'key',
      value: 'canary-1',
      key_context: { organization_id: 'o' },
    });
    const value = await grant(['config.read', 'secrets.reveal']);
    await ask(value, 'GET', '/organizations');
    const path = `/vault/v1/kv/${String(stored.body.id)}`;
    expect((await ask(value, 'GET', path)).status).toBe(400);
    const { body } = await ask(value, 'GET', path, undefined, 'restoring a backup');
    expect(body).toMatchObject({ value: 'canary-1' });
    const lines = await readOperatorsLog();
    expect(lines.filter((line) => line.includes('organizations.list'))).toHaveLength(0);
    expect(lines.filter((line) => line.includes('vault.objects.read'))).toHaveLength(1);
    expect(lines.join('\n')).not.toContain('canary-1');
  });
});

describe('the environment of the operators', () => {
  test('is changed by no operator through the API, not even by an owner', async () => {
    const all = ['operators', 'people.change', 'people.support', 'config.change', 'destroy', 'secrets.write'] as const;
    const value = await grant(all, { environmentId: OPERATORS_ENVIRONMENT_ID });
    for (const [method, path, body] of [
      ['POST', '/user_management/users', { email: 'eve@acme.example' }],
      ['DELETE', `/organizations/${OPERATORS_ORGANIZATION}`],
      ['POST', '/authorization/roles', { slug: 'x', name: 'X' }],
    ] as const) {
      const response = await ask(value, method, path, body, 'trying it out');
      expect([path, response.status, response.body.permission]).toEqual([path, 403, 'never']);
    }
  });
});

describe('the acts of all flows', () => {
  /** Makes acts of each permission, each with a reason of its own. @returns the reasons */
  async function actAsOperators(): Promise<string[]> {
    const reasons: string[] = [];
    const act = async (operator: string, method: string, path: string, body?: unknown, headers = {}) => {
      const reason = `Flow ${reasons.length} by ${operator}`;
      reasons.push(reason);
      const apiKey = await grant(OPERATOR_PERMISSIONS, { id: operator, name: operator });
      const sent = { 'gatehouse-reason': encodeURIComponent(reason), ...headers };
      const made = await call<{ id: string }>(method, path, body, { apiKey, headers: sent });
      if (made.status >= 300) throw new Error(`${method} ${path} responded with ${made.status}`);
      return made.body;
    };
    const { id: organization } = await act('ada', 'POST', '/organizations', { name: 'Acme' });
    const { id: user } = await act('ada', 'POST', '/user_management/users', { email: 'u@acme.example' });
    await act('ada', 'PUT', `/user_management/users/${user}`, { first_name: 'Una' });
    const invited = await act('ada', 'POST', '/user_management/invitations', { email: 'new@acme.example' });
    await act('ada', 'POST', `/user_management/invitations/${invited.id}/revoke`);
    await act('ada', 'POST', '/user_management/redirect_uris', { uri: 'https://app.acme.example/callback' });
    await act('ada', 'POST', '/x/agents/stop', { target: 'environment', reason: 'Incident' });
    const key = await act('ada', 'POST', '/x/environment/api_keys', { name: 'CI' });
    await act('ada', 'POST', `/x/environment/api_keys/${key.id}/revoke`);
    const stored = await act('ada', 'POST', '/vault/v1/kv', { name: 'k', value: 'v', key_context: { team: 'a' } });
    await act('ada', 'GET', `/vault/v1/kv/${stored.id}`);
    const factors = `/user_management/users/${user}/auth_factors`;
    const { body } = await call<{ authentication_factor: { id: string } }>('POST', factors, { type: 'totp' });
    await act('ada', 'DELETE', `/auth/factors/${body.authentication_factor.id}`);
    await act('ada', 'POST', '/audit_logs/exports', { organization_id: organization, ...WHOLE_RANGE });
    const path = `/organizations/${organization}`;
    const proposal = await act('ada', 'DELETE', path, undefined, { 'gatehouse-propose': 'true' });
    await act('grace', 'POST', `/x/platform/stage/proposals/${proposal.id}/approve`);
    await act('ada', 'DELETE', path, undefined, { 'gatehouse-proposal': proposal.id });
    return reasons;
  }

  test('are in the log once each, with their reasons, and the export of the sealed log verifies offline', async () => {
    const reasons = await actAsOperators();
    await idle();
    await advance(3_600 + 360);
    await idle();
    await advance(61);
    const { csv, proof } = await exportOperatorsLog();
    const counts = reasons.map((reason) => [reason, csv.split(`""${reason}""`).length - 1]);
    expect(counts).toEqual(reasons.map((reason) => [reason, 1]));
    expect(reasons).toHaveLength(16);
    const { findings } = await verifyExport(makeEvidence(csv, proof));
    expect(findings).toEqual([]);
    const altered = await verifyExport(makeEvidence(csv.replace('Flow 3', 'Flow 4'), proof));
    expect(altered.findings.length).toBeGreaterThan(0);
  });

  test('are not done while the log cannot be written: a reveal shows nothing, and a change changes nothing', async () => {
    const { body } = await call('POST', '/vault/v1/kv', { name: 'k', value: 'canary-2', key_context: { team: 'a' } });
    const apiKey = await grant(OPERATOR_PERMISSIONS);
    const path = `/vault/v1/kv/${String(body.id)}`;
    expect((await ask(apiKey, 'GET', path, undefined, 'restoring a backup')).status).toBe(200);
    const countReveals = async () =>
      (await readOperatorsLog()).filter((line) => line.includes('vault.objects.read')).length;
    expect(await countReveals()).toBe(1);
    const operations = ['TransactWriteItems', 'PutItem', 'BatchWriteItem'];
    await addFault({ target: 'table', kind: 'unavailable', operations });
    const revealed = await ask(apiKey, 'GET', path, undefined, 'restoring a backup');
    const changed = await ask(apiKey, 'POST', '/organizations', { name: 'Acme' }, 'a new customer');
    expect([revealed.status >= 500, changed.status >= 500]).toEqual([true, true]);
    expect(JSON.stringify(revealed.body)).not.toContain('canary-2');
    await clearFaults();
    expect((await call('GET', '/organizations')).body).toMatchObject({ data: [] });
    expect(await countReveals()).toBe(1);
  });
});
