import { beforeEach, describe, expect, test } from '@jest/globals';

import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { openConsole, operatorGrant as grant } from '../../support/console.ts';
import { readOperatorsLog } from '../../support/operators-log.ts';
import { newOrganization } from '../../support/organizations.ts';
import { call, idle, reset } from '../../support/service.ts';
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
      const answer = await ask(value, method, path, body, 'trying it out');
      expect([path, answer.status, answer.body.permission]).toEqual([path, 403, 'never']);
    }
  });
});
