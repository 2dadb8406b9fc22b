import { beforeEach, describe, expect, test } from '@jest/globals';
import { advance, call, idle, reset } from '../../support/service.ts';
import { challenge, enrolApp, verify } from '../mfa/factor.ts';
import { otherEnvironment } from './inside.ts';
import { EMAIL, PASSWORD, ada, tryPassword } from './explaining.ts';

beforeEach(() => reset({ calm: true }));

interface Limit {
  name: string;
  counted_by: string;
  subject: string;
  used: number;
  remaining: number;
  is_exceeded: boolean;
  resets_at: string | null;
}

describe('the limits of a user', () => {
  const list = async (id: string, query = ''): Promise<Limit[]> => {
    await idle();
    const { status, body } = await call<{ data: Limit[] }>('GET', `/x/user-management/users/${id}/limits${query}`);
    expect(status).toBe(200);
    return body.data;
  };
  const used = async (id: string, query = '') =>
    (await list(id, query)).filter((limit) => limit.used > 0).map(({ name, used: count }) => [name, count]);

  test('show what is used, by address, by network and by factor, and when it is free again', async () => {
    const { id } = await ada();
    await tryPassword('wrong', { ip_address: '198.51.100.7' });
    const factor = await enrolApp(id);
    await verify((await challenge(factor.id)).id, '000000');
    expect(Object.fromEntries(await used(id))).toMatchObject({
      'sign-in.email': 1,
      'sign-in.email.hourly': 1,
      'sign-in.password.daily': 1,
      'sign-in.password.everybody.daily': 1,
      'mfa.factor': 1,
    });
    const hourly = (await list(id)).find(({ name, used: count }) => name === 'sign-in.email.hourly' && count > 0);
    expect(hourly).toMatchObject({ subject: `${EMAIL} 198.51.100.7`, remaining: 59, is_exceeded: false });
    await advance(3_601);
    expect(Object.fromEntries(await used(id))).not.toHaveProperty('mfa.factor');
  });

  test('can be lifted, all or one, so that the next attempt is accepted', async () => {
    const { id } = await ada();
    for (let at = 0; at < 11; at += 1) await tryPassword('wrong', { ip_address: '198.51.100.7' });
    expect((await tryPassword(PASSWORD, { ip_address: '198.51.100.7' })).status).toBe(429);
    await idle();
    const path = `/x/user-management/users/${id}/limits`;
    const one = await call<{ data: Limit[] }>('DELETE', `${path}?name=sign-in.password.daily`);
    expect([one.status, one.body.data.map(({ name }) => name)]).toEqual([200, ['sign-in.password.daily']]);
    expect((await tryPassword(PASSWORD, { ip_address: '198.51.100.7' })).status).toBe(429);
    const all = await call<{ data: Limit[] }>('DELETE', path);
    expect(all.body.data.map(({ name }) => name)).toContain('sign-in.email');
    expect((await tryPassword(PASSWORD, { ip_address: '198.51.100.7' })).status).toBe(200);
  });

  test('of another environment are not found, and not lifted', async () => {
    const { id } = await ada();
    for (let at = 0; at < 11; at += 1) await tryPassword('wrong');
    const { apiKey } = await otherEnvironment();
    for (const method of ['GET', 'DELETE']) {
      const path = `/x/user-management/users/${id}/limits`;
      expect((await call(method, path, undefined, { apiKey })).status).toBe(404);
    }
    expect((await tryPassword(PASSWORD)).status).toBe(429);
  });
});
