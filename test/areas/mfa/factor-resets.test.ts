import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { takeRole } from '../../../functions/faces/console/public.ts';
import { browser, type Browser } from '../../support/browser.ts';
import { askAs, openPath, operatorGrant } from '../../support/console.ts';
import { consolePath } from '../../support/console-pages.ts';
import { openLink } from '../../support/operators.ts';
import { readOperatorsLog } from '../../support/operators-log.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, idle, messages, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';

const EMAIL = 'ada@acme.example';
const OPERATOR = 'grace@acme.example';
const REASON = { reason: 'Ticket 42: lost phone' };

let userId: string;
let factorId: string;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  ({ userId, factorId } = await newUser(EMAIL));
});

/** A user with a verified address and an authenticator app. */
async function newUser(email: string): Promise<{ userId: string; factorId: string }> {
  const { body } = await call('POST', '/user_management/users', { email, email_verified: true });
  const { body: made } = await call<{ authentication_factor: { id: string } }>(
    'POST',
    `/user_management/users/${String(body.id)}/auth_factors`,
    { type: 'totp', totp_issuer: 'Acme', totp_user: 'ada' },
  );
  return { userId: String(body.id), factorId: made.authentication_factor.id };
}

const delay = (hours: number) => call('PUT', '/x/account/factor_resets/settings', { delay_hours: hours });
const has = async (id = factorId): Promise<boolean> => (await call('GET', `/auth/factors/${id}`)).status === 200;
const listStates = async (): Promise<string[]> => {
  const path = `/x/account/users/${userId}/factor_resets`;
  return (await call<{ data: { state: string }[] }>('GET', path)).body.data.map(({ state }) => state);
};
const listSubjects = async (): Promise<string[]> => {
  await idle();
  return (await messages(EMAIL)).map(({ subject }) => subject ?? '');
};

/** Signs an operator in, who resets the factor on its page. */
async function resetByConsole(person: Browser = browser()): Promise<Browser> {
  await openLink(OPERATOR, 'support', person);
  const page = await openPath(person, await consolePath(`users/${userId}/factors/${factorId}`));
  const after = await person.submit(page, REASON, 'value="reset-factor"');
  expect([after.status, readText(after)]).toEqual([200, expect.stringContaining('The user gets a mail.')]);
  return person;
}

const removeAs = async (id: string, path = `/auth/factors/${factorId}`) =>
  askAs(await operatorGrant(['people.support', 'people.change'], { id }), 'DELETE', path);

describe('the reset of a factor by an operator', () => {
  test('without a delay removes it at once, and the person gets a mail', async () => {
    await resetByConsole();
    expect([await has(), await listStates()]).toEqual([false, []]);
    expect(await listSubjects()).toEqual([expect.stringContaining('was removed')]);
  });

  test('with a delay is shown as pending in the console, removes the factor only after the delay, and mails the user before and after', async () => {
    await delay(24);
    await advance(6);
    const person = await resetByConsole();
    expect([await has(), await listStates()]).toEqual([true, ['pending']]);
    const page = await openPath(person, await consolePath(`users/${userId}`));
    expect(readText(page)).toMatch(/Delayed resets of factors[^]*pending/);
    expect(await listSubjects()).toEqual([expect.stringContaining('will be removed')]);
    await advance(24 * 3_600 - 600);
    await idle();
    expect(await has()).toBe(true);
    await advance(1_200);
    await idle();
    expect([await has(), await listStates()]).toEqual([false, ['done']]);
    expect(await listSubjects()).toContainEqual(expect.stringContaining('was removed'));
    const log = (await readOperatorsLog()).join('\n');
    expect(log).toContain('auth_factors.delete');
    expect(log).toContain('factor_resets.execute');
  });

  test('is stopped by the link of the mail, by the form of its page, once', async () => {
    await delay(24);
    await advance(6);
    await resetByConsole();
    await idle();
    const [mail] = await messages(EMAIL);
    const link = mail?.links[0] ?? '';
    const owner = browser();
    const page = await owner.open(link);
    expect([page.status, await listStates()]).toEqual([200, ['pending']]);
    const foreign = await browser().request(link, { method: 'POST', body: new URLSearchParams({ proof: 'x' }) });
    expect([foreign.status, await listStates()]).toEqual([400, ['pending']]);
    const stopped = await owner.submit(page);
    expect([stopped.status, await listStates()]).toEqual([200, ['stopped']]);
    expect((await owner.open(link)).status).toBe(400);
    await advance(90_000);
    await idle();
    expect(await has()).toBe(true);
    expect((await readOperatorsLog()).join('\n')).toContain('factor_resets.stop');
  });

  test('is cancelled by an operator, and by the end of the role of the operator who began it', async () => {
    await delay(1);
    await advance(6);
    const person = await resetByConsole();
    const page = await openPath(person, await consolePath(`users/${userId}`));
    const cancelled = await person.submit(page, REASON, 'value="cancel-reset"');
    expect([readText(cancelled).includes('The reset is cancelled'), await listStates()]).toEqual([true, ['cancelled']]);
    const path = `/x/account/users/${userId}/factor_resets`;
    const { body } = await call<{ data: { id: string }[] }>('GET', path);
    const again = await call('POST', `${path}/${body.data[0]?.id}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, 'factor_reset_ended']);
    await resetByConsole();
    await takeRole(OPERATOR, 'support');
    await advance(4_000);
    await idle();
    expect([await has(), await listStates()]).toEqual([true, ['cancelled', 'cancelled']]);
  });

  test('of a passkey waits as well, and a repeated one is the same reset', async () => {
    await delay(2);
    await advance(6);
    const [first, second] = [await removeAs('user_01'), await removeAs('user_01')];
    expect([first.status, second.status, first.body.id === second.body.id]).toEqual([202, 202, true]);
    expect(await listStates()).toEqual(['pending']);
    expect(await listSubjects()).toHaveLength(1);
  });

  test('is neither delayed nor mailed for an API key', async () => {
    await delay(24);
    await advance(6);
    expect((await call('DELETE', `/auth/factors/${factorId}`)).status).toBe(204);
    expect([await has(), await listSubjects()]).toEqual([false, []]);
  });

  test('is not known to another environment, nor by an unknown id', async () => {
    const path = '/x/account/users/user_01K0G000000000000000000009/factor_resets';
    expect((await call('GET', path)).status).toBe(404);
    const missing = `${path}/factor_reset_01K0G000000000000000000009/cancel`;
    expect((await call('POST', missing)).status).toBe(404);
  });
});

describe('address and factor of one person', () => {
  const changeAddress = async (id: string, user = userId) =>
    askAs(
      await operatorGrant(['people.support', 'people.change'], { id }),
      'POST',
      `/user_management/users/${user}/email_change/send`,
      { new_email: 'eve@evil.example' },
    );

  test('are not changed by one operator within a day, in either order', async () => {
    expect((await changeAddress('user_01')).status).toBe(200);
    const rejected = await removeAs('user_01');
    expect([rejected.status, rejected.body.code, await has()]).toEqual([403, 'operator_change_conflict', true]);
    const other = await newUser('bob@acme.example');
    expect((await removeAs('user_01', `/auth/factors/${other.factorId}`)).status).toBe(204);
    const reverse = await changeAddress('user_01', other.userId);
    expect([reverse.status, reverse.body.code]).toEqual([403, 'operator_change_conflict']);
    await advance(86_401);
    expect((await removeAs('user_01')).status).toBe(204);
  });

  test('of which the factor is a passkey are not changed by one operator within a day either', async () => {
    const { body: passkey } = await call('POST', '/x/passkeys', {
      user_id: userId,
      credential_id: randomBytes(16).toString('base64url'),
      // A COSE key for EdDSA (RFC 9053 section 2.2), with a random point: nothing is signed with it.
      public_key: Buffer.concat([Buffer.from('a4010103272006215820', 'hex'), randomBytes(32)]).toString('base64url'),
      user_handle: randomBytes(32).toString('base64url'),
    });
    expect((await changeAddress('user_01')).status).toBe(200);
    const rejected = await removeAs('user_01', `/x/passkeys/${String(passkey.id)}`);
    expect([rejected.status, rejected.body.code]).toEqual([403, 'operator_change_conflict']);
  });

  test('at the same moment: one of both calls is rejected', async () => {
    const responses = await Promise.all([changeAddress('user_02'), removeAs('user_02')]);
    expect(responses.map(({ status }) => status).filter((status) => status === 403)).toHaveLength(1);
  });

  test('may be changed by two operators, and by an API key', async () => {
    expect((await changeAddress('user_01')).status).toBe(200);
    expect((await removeAs('user_02')).status).toBe(204);
  });
});
