import { beforeEach, describe, expect, test } from '@jest/globals';

import { newEnvironment } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { GRANT_SECONDS } from '../../../functions/kernel/authentication/grant.ts';
import type { OperatorPermission } from '../../../functions/kernel/authentication/operator-permission.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { consoleSessions } from '../../../functions/faces/console/session/session.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { openConsole, operatorGrant as grant } from '../../support/console.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, messages, reportMail, reset } from '../../support/service.ts';
import { environment } from '../authentication/inside.ts';

/** Calls with a key and a reason. */
const ask = (apiKey: string, method: string, path: string, body?: unknown) =>
  call(method, path, body, { apiKey, headers: { 'gatehouse-reason': 'Ticket%2042' } });

beforeEach(() => reset());

describe('an operator’s grant', () => {
  test('is accepted like an API key by operations whose permission the operator has', async () => {
    const id = await newOrganization('Acme');
    const value = await grant(['config.read']);
    expect((await ask(value, 'GET', `/organizations/${id}`)).body).toMatchObject({ id, name: 'Acme' });
  });

  test('ends with the operator’s session of the console, at once, also where it was used before', async () => {
    const id = await newOrganization('Acme');
    const value = await grant(['config.read']);
    const other = await grant(['config.read'], { id: 'user_02' });
    const read = async (apiKey: string) => (await ask(apiKey, 'GET', `/organizations/${id}`)).status;
    expect([await read(value), await read(other)]).toEqual([200, 200]);
    await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
      consoleSessions.stageEndOfAll(unit, OPERATORS_ENVIRONMENT_ID, 'user_01');
    });
    expect([await read(value), await read(other)]).toEqual([401, 200]);
  });

  test('ends when the operator does not use the console for half an hour, although each call was allowed before', async () => {
    const id = await newOrganization('Acme');
    const first = await grant(['config.read']);
    await advance(1_500);
    const later = await grant(['config.read']);
    const read = async (apiKey: string) => (await ask(apiKey, 'GET', `/organizations/${id}`)).status;
    expect([await read(first), await read(later)]).toEqual([401, 200]);
    await advance(310);
    expect(await read(later)).toBe(401);
  });

  test('is rejected with the name of the permission that the operator does not have', async () => {
    const { status, body } = await ask(await grant(['config.read']), 'GET', '/user_management/users');
    expect([status, body]).toEqual([
      403,
      {
        code: 'operator_permission_required',
        permission: 'people.read',
        message: expect.stringContaining('“people.read”'),
      },
    ]);
  });

  test('does not read a mailed code, whatever permissions the operator has', async () => {
    const all = [
      'config.read',
      'people.read',
      'people.support',
      'people.change',
      'secrets.reveal',
      'operators',
    ] as const;
    const { body: code } = await call('POST', '/user_management/magic_auth', { email: 'ada@acme.example' });
    const rejected = await ask(await grant(all), 'GET', `/user_management/magic_auth/${String(code.id)}`);
    expect([rejected.status, rejected.body]).toMatchObject([403, { permission: 'never' }]);
  });

  test('does not get the token of an invitation, unlike an API key', async () => {
    const { body: made } = await call('POST', '/user_management/invitations', { email: 'ada@acme.example' });
    const path = `/user_management/invitations/${String(made.id)}`;
    const { body } = await ask(await grant(['people.read']), 'GET', path);
    expect(body).toMatchObject({ id: made.id, email: 'ada@acme.example' });
    expect(Object.keys(body)).not.toContain('token');
    expect(Object.keys(body)).not.toContain('accept_invitation_url');
    const list = await ask(await grant(['people.read']), 'GET', '/user_management/invitations');
    expect(JSON.stringify(list.body)).not.toContain(String(made.token));
    expect((await call('GET', path)).body).toMatchObject({ token: made.token });
  });

  test('gets a suppressed address only with the permission to read people', async () => {
    await call('POST', '/user_management/magic_auth', { email: 'grace@navy.example' });
    const [mail] = await messages('grace@navy.example');
    await reportMail(mail?.id ?? '', 'bounce');
    await idle();
    const read = async (value: string) =>
      (await ask(value, 'GET', '/x/environment/attention')).body as { data: { kind: string; name: string | null }[] };
    expect(await read(await grant(['config.read']))).toMatchObject({
      data: [{ kind: 'email_suppressed', name: null }],
    });
    expect(await read(await grant(['config.read', 'people.read']))).toMatchObject({
      data: [{ kind: 'email_suppressed', name: 'grace@navy.example' }],
    });
  });

  test('gets the data of the events of a dry run only with the permission to read people', async () => {
    const { body: flag } = await call('POST', '/x/feature-flags', { slug: 'beta', name: 'Beta' });
    const rehearse = async (permissions: readonly OperatorPermission[]) => {
      const options = { apiKey: await grant(permissions), headers: { 'gatehouse-dry-run': 'true' } };
      const { body } = await call<{ would: { emits: unknown[] } }>(
        'DELETE',
        `/x/feature-flags/${String(flag.slug)}`,
        undefined,
        options,
      );
      return body.would.emits;
    };
    expect(await rehearse(['config.change'])).toEqual([{ event: 'flag.deleted' }]);
    expect(await rehearse(['config.change', 'people.read'])).toMatchObject([
      { event: 'flag.deleted', data: { slug: 'beta' } },
    ]);
  });

  test('gets a webhook secret only when it creates one', async () => {
    const endpoint = { endpoint_url: 'https://acme.example/hook', events: ['user.created'] };
    const value = await grant(['config.read', 'secrets.write']);
    const { status, body: made } = await ask(value, 'POST', '/webhook_endpoints', endpoint);
    expect([status, made]).toEqual([201, expect.objectContaining({ secret: expect.any(String) })]);
    const { body } = await ask(value, 'GET', `/x/webhook_endpoints/${String(made.id)}`);
    expect(body).toMatchObject({ id: made.id });
    expect(JSON.stringify(body)).not.toContain('secret"');
    expect(JSON.stringify((await ask(value, 'GET', '/webhook_endpoints')).body)).not.toContain(String(made.secret));
  });

  test('cannot set the password of a user', async () => {
    const value = await grant(['people.read', 'people.change']);
    const user = { email: 'ada@acme.example' };
    const rejected = await ask(value, 'POST', '/user_management/users', { ...user, password: 'correct horse battery' });
    expect([rejected.status, rejected.body]).toMatchObject([403, { permission: 'never' }]);
    const { status, body } = await ask(value, 'POST', '/user_management/users', user);
    expect(status).toBe(201);
    const change = { password: 'correct horse battery' };
    expect((await ask(value, 'PUT', `/user_management/users/${String(body.id)}`, change)).status).toBe(403);
  });

  test('cannot set the address of a user or create a key of one, with which the operator could act as that user', async () => {
    const all = await grant(['people.read', 'people.support', 'people.change', 'config.change', 'secrets.write']);
    const { body } = await ask(all, 'POST', '/user_management/users', { email: 'ada@acme.example' });
    const path = `/user_management/users/${String(body.id)}`;
    for (const change of [{ email: 'eve@evil.example', email_verified: true }, { email_verified: true }]) {
      const rejected = await ask(all, 'PUT', path, change);
      expect([rejected.status, rejected.body]).toMatchObject([403, { permission: 'never' }]);
    }
    expect((await ask(all, 'PUT', path, { first_name: 'Ada' })).status).toBe(200);
    const key = { name: 'Key', organization_id: await newOrganization('Acme') };
    expect((await ask(all, 'POST', `${path}/api_keys`, key)).body).toMatchObject({ permission: 'never' });
  });

  test('with the permission to create secrets cannot start a rotation, whose response also contains the stored secret', async () => {
    const value = await grant(['config.read', 'secrets.write']);
    const endpoint = { endpoint_url: 'https://acme.example/hook', events: ['user.created'] };
    const { body: made } = await ask(value, 'POST', '/webhook_endpoints', endpoint);
    const { body } = await ask(value, 'POST', `/x/webhook_endpoints/${String(made.id)}/rotate_secret`, {});
    expect(body).toMatchObject({ permission: 'secrets.reveal' });
  });

  test('expires after ten minutes', async () => {
    const value = await grant(['people.read']);
    expect((await ask(value, 'GET', '/user_management/users')).status).toBe(200);
    await advance(GRANT_SECONDS + 1);
    expect((await ask(value, 'GET', '/user_management/users')).status).toBe(401);
  });

  test('gives no access to another environment', async () => {
    const own = await environment();
    const other = newEnvironment('Other');
    await applyWork(other.record.id, systemActor, async (unit) => unit.stage(other.write));
    await newOrganization('Acme');
    const value = await grant(['config.read'], { environmentId: other.record.id });
    expect(own).not.toBe(other.record.id);
    expect((await ask(value, 'GET', '/organizations')).body).toMatchObject({ data: [] });
  });

  test('with an altered character is rejected', async () => {
    const value = await grant(['people.read']);
    const last = value.endsWith('0') ? '1' : '0';
    expect((await ask(`${value.slice(0, -1)}${last}`, 'GET', '/organizations')).status).toBe(401);
  });

  test('is not accepted as a client secret', async () => {
    const value = await grant(['people.read', 'people.change', 'config.change']);
    const client_id = (await environment()).replace('environment_', 'client_');
    const { status } = await call('POST', '/user_management/authenticate', {
      grant_type: 'urn:workos:oauth:grant-type:magic-auth:code',
      client_id,
      client_secret: value,
      code: '123456',
      email: 'ada@acme.example',
    });
    expect(status).toBe(400);
  });

  test('reads records of the operators’ environment only with the permission for operators', async () => {
    await openConsole();
    await environment();
    const some = await grant(['people.read', 'config.read', 'destroy'], { environmentId: OPERATORS_ENVIRONMENT_ID });
    expect((await ask(some, 'GET', '/user_management/users')).body).toMatchObject({ permission: 'operators' });
    const own = await grant(['operators'], { environmentId: OPERATORS_ENVIRONMENT_ID });
    await idle();
    const { body } = await ask(own, 'GET', '/user_management/users');
    expect(body).toMatchObject({ data: [{ email: 'owner@gatehouse.example' }] });
  });
});
