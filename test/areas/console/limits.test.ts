import { beforeEach, describe, expect, test } from '@jest/globals';

import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { askAs, openConsole, operatorGrant } from '../../support/console.ts';
import { advance, call, reset } from '../../support/service.ts';

beforeEach(async () => {
  await reset({ calm: true });
  await openConsole();
});

/** Creates a user with an authenticator. @returns the id of the factor */
async function addFactor(at: number): Promise<string> {
  const { body: user } = await call('POST', '/user_management/users', { email: `user-${at}@acme.example` });
  const body = { type: 'totp', totp_issuer: 'Acme', totp_user: `user-${at}` };
  const { body: made } = await call<{ authentication_factor: { id: string } }>(
    'POST',
    `/user_management/users/${String(user.id)}/auth_factors`,
    body,
  );
  return made.authentication_factor.id;
}

describe('an operator', () => {
  test('resets at most 20 factors a day, over all grants, and another operator may go on', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 22; at += 1) ids.push(await addFactor(at));
    const resetAs = async (grant: string, id: string | undefined) => askAs(grant, 'DELETE', `/auth/factors/${id}`);
    for (const id of ids.slice(0, 20)) {
      expect((await resetAs(await operatorGrant(['people.support']), id)).status).toBe(204);
    }
    const ada = await operatorGrant(['people.support']);
    const rejected = await resetAs(ada, ids[20]);
    expect([rejected.status, rejected.body]).toMatchObject([
      429,
      { code: 'rate_limit_exceeded', message: expect.stringContaining('20 resets') },
    ]);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(80_000);
    const dry = await askAs(ada, 'DELETE', `/auth/factors/${ids[20]}`, undefined, { 'gatehouse-dry-run': 'true' });
    expect(dry.status).toBe(200);
    expect((await resetAs(await operatorGrant(['people.support'], { id: 'user_02' }), ids[20])).status).toBe(204);
    await advance(86_401);
    expect((await resetAs(await operatorGrant(['people.support']), ids[21])).status).toBe(204);
  });

  test('reveals at most 50 secrets a day, or as many as the settings of the operators’ environment say', async () => {
    const { body } = await call('POST', '/vault/v1/kv', { name: 'k', value: 'v', key_context: { team: 'a' } });
    const reveal = async (id: string) =>
      (await askAs(await operatorGrant(['secrets.reveal'], { id }), 'GET', `/vault/v1/kv/${String(body.id)}`)).status;
    const statuses: number[] = [];
    for (let at = 0; at < 51; at += 1) statuses.push(await reveal('user_01'));
    expect([statuses.slice(0, 50).every((each) => each === 200), statuses[50]]).toEqual([true, 429]);
    await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
      const own = await environments.get(OPERATORS_ENVIRONMENT_ID, OPERATORS_ENVIRONMENT_ID);
      if (own === undefined) throw new Error('There is no environment of the operators');
      const settings = { limits: { 'operator-reveal.operator': { limit: 2 } } };
      unit.stage(environments.revise(own, { settings }).write);
    });
    await advance(6);
    expect([await reveal('user_02'), await reveal('user_02'), await reveal('user_02')]).toEqual([200, 200, 429]);
  });

  test('makes at most five exports a day', async () => {
    const { body } = await call('POST', '/organizations', { name: 'Acme' });
    const range = { range_start: '2020-01-01T00:00:00.000Z', range_end: '2100-01-01T00:00:00.000Z' };
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      const grant = await operatorGrant(['people.read']);
      const { status } = await askAs(grant, 'POST', '/audit_logs/exports', { organization_id: body.id, ...range });
      statuses.push(status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });
});

test('an API key is not limited as operators are', async () => {
  const { body } = await call('POST', '/vault/v1/kv', { name: 'k', value: 'v', key_context: { team: 'a' } });
  for (let at = 0; at < 51; at += 1) expect((await call('GET', `/vault/v1/kv/${String(body.id)}`)).status).toBe(200);
});
