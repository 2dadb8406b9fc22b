import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { stageCode } from '../../../functions/kernel/one-time-code/stage.ts';
import { advance, call, messages, reset } from '../../support/service.ts';
import { addSession, environment, readSessions } from '../../support/users.ts';
import { mailedCode, sent, tally, rejectionText, wrong } from './codes.ts';
import { readEvents, newUser, settings, type User, USERS } from './users.ts';
import { retryCall } from '../../support/retries.ts';

beforeEach(() => reset());

const NEW = 'ada@new.example';
const change = ({ id }: User, new_email = NEW) =>
  sent<{ user: User; new_email: string }>(`${USERS}/${id}/email_change/send`, { new_email });
const rejected = async ({ id }: User, new_email: string): Promise<string> =>
  rejectionText(await call('POST', `${USERS}/${id}/email_change/send`, { new_email }));
const confirm = ({ id }: User, code: string) =>
  retryCall(() => call<{ user: User }>('POST', `${USERS}/${id}/email_change/confirm`, { code }));

describe('an email change', () => {
  test('takes effect only when its code is entered', async () => {
    const user = await newUser({ email_verified: true });
    await addSession(user.id);
    const asked = await change(user, 'ADA@New.example');
    expect(asked).toMatchObject({ object: 'email_change', new_email: NEW, user: { email: user.email } });
    expect(asked).not.toHaveProperty('code');
    expect(await messages(user.email)).toEqual([]);
    const response = await confirm(user, await mailedCode(NEW));
    expect(response).toMatchObject({
      status: 200,
      body: { object: 'email_change_confirmation', user: { id: user.id, email: NEW, email_verified: true } },
    });
    expect(await readSessions(user.id)).toEqual([]);
    const [notice] = await messages(user.email);
    expect(notice?.text).toContain(NEW);
    expect((await call<{ data: User[] }>('GET', `${USERS}?email=${NEW}`)).body.data).toHaveLength(1);
    expect((await newUser({ email: user.email })).email).toBe(user.email);
    expect((await readEvents('user.updated'))[0]).toMatchObject({ data: { email: NEW } });
  });

  test('sends no notice to a former address that was not verified', async () => {
    const user = await newUser();
    await change(user);
    expect((await confirm(user, await mailedCode(NEW))).status).toBe(200);
    expect(await messages(user.email)).toEqual([]);
  });

  test('is rejected if invalid, each case with its own error code', async () => {
    const [user, other] = [await newUser(), await newUser()];
    expect(await rejected(user, user.email.toUpperCase())).toBe('409 email_change_not_needed');
    expect(await rejected(user, other.email)).toBe('409 email_not_available');
    for (const email of ['nonsense', 'a@b', 'ada@nowhere.invalid', 'a b@example.com']) {
      expect(await rejected(user, email)).toBe('422 invalid_email');
    }
    expect(await rejected({ ...user, id: 'user_01J00000000000000000000000' }, NEW)).toBe('404 not_found');
    expect(rejectionText(await confirm({ ...user, id: 'user_01J00000000000000000000000' }, '123456'))).toBe(
      '404 not_found',
    );
    await settings({ email_change: false });
    expect(await rejected(user, NEW)).toBe('409 email_change_not_allowed');
    expect(rejectionText(await confirm(user, '123456'))).toBe('409 email_change_not_allowed');
  });

  test('reports why a code is rejected', async () => {
    const user = await newUser();
    expect(rejectionText(await confirm(user, '123456'))).toBe('409 no_pending_email_change');
    await change(user);
    const code = await mailedCode(NEW);
    expect(rejectionText(await confirm(user, wrong(code)))).toBe('400 email_change_code_incorrect');
    expect((await confirm(user, code)).status).toBe(200);
    expect(rejectionText(await confirm(user, code))).toBe('409 email_change_code_previously_used');
    expect(rejectionText(await confirm(user, wrong(code)))).toBe('409 no_pending_email_change');
    await change(user, 'ada@third.example');
    const late = await mailedCode('ada@third.example');
    await advance(601);
    expect(rejectionText(await confirm(user, late))).toBe('400 email_change_code_expired');
  });

  test('is invalidated if the address is changed by other means', async () => {
    const user = await newUser();
    await change(user, 'thief@example.com');
    expect((await call('PUT', `${USERS}/${user.id}`, { email: NEW })).status).toBe(200);
    expect(rejectionText(await confirm(user, await mailedCode('thief@example.com')))).toBe(
      '409 no_pending_email_change',
    );
  });

  test('accepts five of a hundred parallel attempts for a code', async () => {
    const user = await newUser();
    await change(user);
    const code = await mailedCode(NEW);
    const responses = await Promise.all(Array.from({ length: 100 }, () => confirm(user, wrong(code))));
    expect(tally(responses)).toEqual({
      '400 email_change_code_incorrect': 5,
      '429 email_change_too_many_attempts': 95,
    });
    expect(rejectionText(await confirm(user, code))).toBe('429 email_change_too_many_attempts');
  });

  test('is rejected if another user has the address in the meantime', async () => {
    const user = await newUser();
    await change(user);
    const code = await mailedCode(NEW);
    await newUser({ email: NEW });
    expect(rejectionText(await confirm(user, code))).toBe('409 email_not_available');
    expect((await call<User>('GET', `${USERS}/${user.id}`)).body.email).toBe(user.email);
  });

  test('succeeds for one of two users who confirm the same address in parallel', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    await change(ada);
    const first = await mailedCode(NEW);
    await change(bob);
    const second = await mailedCode(NEW);
    const responses = await Promise.all([confirm(ada, first), confirm(bob, second)]);
    expect(tally(responses)).toEqual({ '200 ': 1, '409 email_not_available': 1 });
  });

  test('is replaced by a later change, and accepts no code of another user', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    await change(ada, 'first@new.example');
    const first = await mailedCode('first@new.example');
    await change(ada, 'second@new.example');
    const second = await mailedCode('second@new.example');
    await change(bob, 'bob@new.example');
    if (first !== second) expect(rejectionText(await confirm(ada, first))).toBe('400 email_change_code_incorrect');
    if (first !== (await mailedCode('bob@new.example'))) {
      expect(rejectionText(await confirm(bob, first))).toBe('400 email_change_code_incorrect');
    }
    expect((await confirm(ada, second)).body.user.email).toBe('second@new.example');
  });

  test('is rejected at the confirmation if the address is no longer valid', async () => {
    const user = await newUser();
    const environmentId = await environment();
    let code = '';
    // A row of an earlier release that accepted such addresses.
    const place = { environmentId, purpose: 'email-change', subject: user.id };
    const detail = JSON.stringify({ newEmail: 'ada@gone.invalid', epoch: 0 });
    await applyWork(environmentId, systemActor, async (unit) => {
      ({ code } = await stageCode(unit, place, { codeId: 'email_change_01J00000000000000000000000', detail }));
    });
    expect(rejectionText(await confirm(user, code))).toBe('422 invalid_email');
  });

  test('sends at most thirty codes a day for one user', async () => {
    await reset({ calm: true });
    const user = await newUser();
    for (let minute = 1; minute <= 10; minute += 1) {
      for (let one = 1; one <= 3; one += 1) await change(user, `ada-${minute}-${one}@new.example`);
      await advance(61);
    }
    expect(await rejected(user, NEW)).toBe('429 daily_quota_exceeded');
  }, 120_000);
});
