import { beforeEach, describe, expect, test } from '@jest/globals';

import { newEnvironment } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import {
  createConsoleLink,
  giveRole,
  listOperators,
  removeOperator,
  takeRole,
} from '../../../functions/faces/console/public.ts';
import { browser } from '../../support/browser.ts';
import { openConsole, openPath } from '../../support/console.ts';
import { advance, idle, reset } from '../../support/service.ts';
import { environment } from '../authentication/inside.ts';

const OWNER = 'owner@gatehouse.example';
const ADA = 'ada@acme.example';

beforeEach(async () => {
  await reset();
  await environment();
});

/** Signs a browser in as an operator by a link. */
async function signIn(email: string, role?: string) {
  const person = browser();
  const page = await openPath(person, await createConsoleLink(role === undefined ? { email } : { email, role }));
  return { person, first: await person.submit(page) };
}

const findPath = async (): Promise<string> => `/console/e/${await environment()}`;

describe('an operator', () => {
  test('sees an environment only while a role gives a permission there', async () => {
    await openConsole();
    const { person } = await signIn(ADA);
    expect((await openPath(person, await findPath())).status).toBe(404);
    await giveRole(ADA, 'support', await environment());
    expect((await openPath(person, await findPath())).status).toBe(200);
    await takeRole(ADA, 'support', await environment());
    expect((await openPath(person, await findPath())).status).toBe(404);
  });

  test('with a role on one environment sees no other', async () => {
    await openConsole();
    const other = newEnvironment('Other');
    await applyWork(other.record.id, systemActor, async (unit) => unit.stage(other.write));
    const { person } = await signIn(ADA);
    await giveRole(ADA, 'admin', other.record.id);
    // An instance caches the names of the environments for five seconds.
    await advance(6);
    await idle();
    expect((await openPath(person, `/console/e/${other.record.id}`)).status).toBe(200);
    expect((await openPath(person, await findPath())).status).toBe(404);
  });

  test('loses access with the next request when a role for all environments is taken away', async () => {
    await openConsole();
    const { person } = await signIn(ADA, 'admin');
    expect((await openPath(person, await findPath())).status).toBe(200);
    await takeRole(ADA, 'admin');
    expect((await openPath(person, await findPath())).status).toBe(404);
  });

  test('is signed out by being removed', async () => {
    await openConsole();
    const { person } = await signIn(ADA, 'admin');
    await removeOperator(ADA);
    expect((await openPath(person, '/console')).status).toBe(401);
    await idle();
    expect((await listOperators()).map(({ email }) => email)).toEqual([OWNER]);
  });

  test('cannot return by an unused link from before the removal, or get a role back that was taken away', async () => {
    await openConsole();
    const paths = [
      await createConsoleLink({ email: ADA, role: 'admin' }),
      await createConsoleLink({ email: ADA.toUpperCase(), role: 'admin' }),
    ];
    await signIn(ADA, 'admin');
    await takeRole(ADA, 'admin');
    await removeOperator(ADA);
    for (const path of paths) {
      const person = browser();
      await person.submit(await openPath(person, path));
      expect((await openPath(person, '/console')).status).toBe(401);
    }
    await advance(1);
    const { person } = await signIn(ADA, 'viewer');
    expect((await openPath(person, '/console')).status).toBe(200);
  });

  test('who is revoked at the moment in which the link of the invitation is used has no access afterwards', async () => {
    await openConsole();
    for (let at = 0; at < 5; at += 1) {
      const email = `${at}-${ADA}`;
      const person = browser();
      const page = await openPath(person, await createConsoleLink({ email, role: 'owner' }));
      const [, ended] = await Promise.all([person.submit(page), removeOperator(email)]);
      expect(['removed', 'uninvited']).toContain(ended);
      expect((await openPath(person, '/console')).status).toBe(401);
    }
    await idle();
    expect((await listOperators()).map(({ email }) => email)).toEqual([OWNER]);
  });

  test('is listed with the roles for all environments and for single ones', async () => {
    await openConsole();
    await signIn(ADA, 'viewer');
    await giveRole(ADA, 'support', await environment());
    await idle();
    const [ada] = (await listOperators()).filter(({ email }) => email === ADA);
    expect(ada?.roles).toContain('viewer');
    expect([...(ada?.environments ?? [])]).toEqual([[await environment(), ['environment-support']]]);
  });
});

describe('the last owner', () => {
  test('cannot be removed until there is another one', async () => {
    await openConsole();
    await expect(removeOperator(OWNER)).rejects.toThrow('last owner');
    await expect(takeRole(OWNER, 'owner')).rejects.toThrow('last owner');
    await signIn(ADA, 'owner');
    await removeOperator(OWNER);
    await expect(removeOperator(ADA)).rejects.toThrow('last owner');
  });

  test.each([
    ['removed', removeOperator],
    ['deprived of the role', (email: string) => takeRole(email, 'owner')],
  ])('stays if two are %s at the same moment', async (_, end) => {
    await openConsole();
    await signIn(ADA, 'owner');
    const ended = await Promise.allSettled([end(OWNER), end(ADA)]);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await idle();
    const owners = (await listOperators()).filter(({ roles }) => roles.includes('owner'));
    expect(owners.length).toBe(1);
  });
});

describe('a role of operators', () => {
  test('is rejected if it does not exist, or if it is for all environments only', async () => {
    await openConsole();
    await expect(giveRole(OWNER, 'king')).rejects.toThrow('There is no role king');
    await expect(giveRole(OWNER, 'owner', await environment())).rejects.toThrow('There is no role environment-owner');
    await expect(giveRole('eve@acme.example', 'viewer')).rejects.toThrow('There is no operator');
    await expect(giveRole(OWNER, 'viewer', 'environment_01K0G000000000000000000009')).rejects.toThrow(
      'There is no environment',
    );
  });
});
