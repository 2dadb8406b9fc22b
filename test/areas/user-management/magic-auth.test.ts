import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import type { CodeOutcome } from '../../../functions/kernel/one-time-code/code.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { checkMagicAuth } from '../../../functions/proofs/modules/email-proofs/public.ts';
import { advance, call, idle, messages, reset } from '../../support/service.ts';
import { environment, readRows } from '../../support/users.ts';
import { type Code, mailedCode, sent, rejectionText, wrong } from './codes.ts';
import { readEvents, newUser, type User, USERS } from './users.ts';

beforeEach(() => reset());

const MAGIC = '/user_management/magic_auth';
const ask = (email: string, more: object = {}): Promise<Code> => sent(MAGIC, { email, ...more });
const rejectedRequest = async (email: string, more: object = {}): Promise<string> =>
  rejectionText(await call('POST', MAGIC, { email, ...more }));

/** Checks a code with the function of the sign-in. */
async function readOutcome(email: string, code: string): Promise<CodeOutcome> {
  const environmentId = await environment();
  let outcome: CodeOutcome = 'invalid';
  await applyWork(environmentId, systemActor, async (unit) => {
    outcome = await checkMagicAuth(unit, environmentId, email, code);
  });
  return outcome;
}

describe('magic auth', () => {
  test('mails and returns a code, which can be read again and is in no event', async () => {
    const user = await newUser({ email_verified: true });
    const made = await ask(user.email.toUpperCase());
    expect(made).toMatchObject({ object: 'magic_auth', user_id: user.id, email: user.email });
    expect(await mailedCode(user.email)).toBe(made.code);
    expect((await messages(user.email))[0]?.subject).not.toContain(made.code);
    expect((await call('GET', `${MAGIC}/${String(made.id)}`)).body).toEqual(made);
    const { code: _code, ...rest } = made;
    expect((await readEvents('magic_auth.created')).map(({ data }) => data)).toEqual([rest]);
    await advance(600 + 86_400 + 1);
    expect((await call('GET', `${MAGIC}/${String(made.id)}`)).status).toBe(404);
  });

  test('creates a new, unverified user', async () => {
    const { user_id } = await ask('new@example.com');
    const { body } = await call<User>('GET', `${USERS}/${String(user_id)}`);
    expect(body).toMatchObject({ email: 'new@example.com', email_verified: false });
    expect((await ask('NEW@example.com')).user_id).toBe(user_id);
    expect(await readEvents('user.created')).toHaveLength(1);
  });

  test('creates only one user in three parallel requests', async () => {
    const made = await Promise.all(
      Array.from({ length: 3 }, () => call<Code>('POST', MAGIC, { email: 'rush@example.com' })),
    );
    const ids = made.filter(({ status }) => status === 201).map(({ body }) => body.user_id);
    expect(new Set(ids).size).toBe(1);
    expect(await readEvents('user.created')).toHaveLength(1);
  });

  test('creates no user if sign-up is disabled, except with an invitation', async () => {
    const { body: invitation } = await call<Code>('POST', '/user_management/invitations', { email: 'in@example.com' });
    const { token: invitation_token } = invitation;
    const { body: revoked } = await call<Code>('POST', '/user_management/invitations', { email: 'late@example.com' });
    await call('POST', `/user_management/invitations/${String(revoked.id)}/revoke`);
    await call('PUT', '/x/authentication/settings', { sign_up: false });
    const late = { invitation_token: revoked.token };
    expect(await rejectedRequest('late@example.com', late)).toBe('400 invitation_invalid');
    expect(await rejectedRequest('out@example.com')).toBe('400 sign_up_not_allowed');
    expect(await rejectedRequest('out@example.com', { invitation_token })).toBe('400 invitation_invalid');
    expect(await rejectedRequest('in@example.com', { invitation_token: 'made-up' })).toBe('400 invitation_invalid');
    expect(await ask('in@example.com', { invitation_token })).toMatchObject({ email: 'in@example.com' });
    const user = await newUser();
    expect(await ask(user.email)).toMatchObject({ user_id: user.id });
  });

  test('is rejected if invalid, each case with its own error code', async () => {
    expect(await rejectedRequest('ada@nowhere.invalid')).toBe('400 email_domain_not_deliverable');
    expect(await rejectedRequest('nonsense')).toBe('422 invalid_request_parameters');
    await call('PUT', '/x/authentication/settings', { methods: { magic_auth: false } });
    expect(await rejectedRequest('ada@example.com')).toBe('400 authentication_method_not_allowed');
  });

  test('is valid once, for ten minutes, and until the next code', async () => {
    const first = await ask('ada@example.com');
    const second = await ask('ada@example.com');
    if (first.code !== second.code) expect(await readOutcome('ada@example.com', String(first.code))).toBe('invalid');
    expect(await readOutcome('ADA@example.com', String(second.code))).toBe('valid');
    expect(await readOutcome('ada@example.com', String(second.code))).toBe('used');
    expect(await readOutcome('ada@example.com', wrong(String(second.code)))).toBe('invalid');
    expect(await readOutcome('ada@example.com', String((await ask('ada@example.com')).code))).toBe('valid');
  });

  test('is erased with its own user, and not with an earlier user of the address', async () => {
    const former = await newUser({ email: 'ada@example.com' });
    await ask(former.email);
    await call('PUT', `${USERS}/${former.id}`, { email: 'other@example.com' });
    const { code, user_id } = await ask('ada@example.com');
    expect(user_id).not.toBe(former.id);
    await idle();
    await call('DELETE', `${USERS}/${former.id}`);
    await idle();
    expect(await readOutcome('ada@example.com', String(code))).toBe('valid');
  });

  test('succeeds in one of fifty parallel uses', async () => {
    const { code } = await ask('ada@example.com');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => readOutcome('ada@example.com', String(code))),
    );
    const valid = outcomes.filter((one) => one.status === 'fulfilled' && one.value === 'valid');
    expect(valid).toHaveLength(1);
  });

  test('accepts five of a hundred parallel guesses, with the same responses for an address without a code', async () => {
    const { code } = await ask('ada@example.com');
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      const guesses = Array.from({ length: 100 }, () => readOutcome(email, wrong(String(code))));
      // A busy machine may reject some guesses before they are checked.
      const outcomes = (await Promise.allSettled(guesses)).flatMap((one) =>
        one.status === 'fulfilled' ? one.value : [],
      );
      expect(outcomes.filter((one) => one === 'invalid').length).toBeLessThanOrEqual(5);
      expect(new Set(outcomes)).toEqual(new Set(['invalid', 'too_many_attempts']));
    }
    expect(await readOutcome('ada@example.com', String(code))).toBe('too_many_attempts');
    const { code: next } = await ask('ada@example.com');
    expect(await readOutcome('ada@example.com', String(next))).toBe('valid');
  });

  test('sends at most three codes a minute and thirty a day to one address, known or not', async () => {
    await reset({ calm: true });
    for (let minute = 1; minute <= 10; minute += 1) {
      for (let one = 1; one <= 3; one += 1) await ask('ada@example.com');
      if (minute < 10) expect(await rejectedRequest('ada@example.com')).toBe('429 rate_limit_exceeded');
      await advance(61);
    }
    expect(await rejectedRequest('ada@example.com')).toBe('429 daily_quota_exceeded');
  }, 120_000);

  test('stores no code in plain text', async () => {
    const { code, id } = await ask('ada@example.com');
    expect(await readRows(`"${String(code)}"`)).toEqual([]);
    expect(await readRows(String(id))).toEqual(expect.arrayContaining(['magic-auth', 'current-code']));
  });
});
