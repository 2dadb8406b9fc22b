import { beforeEach, describe, expect, test } from '@jest/globals';
import { addFault, advance, call, eventually, idle, now, reset } from '../../support/service.ts';
import { newUser, USERS } from '../user-management/users.ts';
import { otherEnvironment, settings } from './inside.ts';
import { ACCOUNT_REASONS } from './account-reasons.ts';
import {
  type Explanation,
  EMAIL,
  explain,
  explainAddress,
  PASSWORD,
  ada,
  withoutPassword,
  tryPassword,
  sendCode,
  member,
} from './explaining.ts';
import { PROOF_REASONS } from './proof-reasons.ts';
import { findOrigin } from './reason-origins.ts';
import { STOP_REASONS } from './stop-reasons.ts';

const REASONS = [...ACCOUNT_REASONS, ...PROOF_REASONS, ...STOP_REASONS];

beforeEach(() => reset({ calm: true }));

describe('the explanation of a sign-in', () => {
  test.each(REASONS)('names %s', async (reason, status, stops, make) => {
    const start = await now();
    const made = await make();
    const asked =
      typeof made === 'string'
        ? await explain(made)
        : 'address' in made
          ? await explainAddress(made.address)
          : await explain(made.id, made.query);
    const line = asked.lines.find((one) => one.reason === reason);
    expect([reason, asked.lines.map((one) => one.reason), line?.status]).toEqual([
      reason,
      expect.arrayContaining([reason]),
      status,
    ]);
    if (stops) expect(asked).toMatchObject({ can_sign_in: false, stops_at: reason });
    expect(line?.message).toMatch(/^\S.*[.:]/);
    const [changedBy, source, hasTime] = findOrigin(reason);
    expect([reason, line?.changed_by, line?.source]).toEqual([reason, changedBy, expect.stringMatching(source)]);
    expect([reason, line?.time === null]).toEqual([reason, !hasTime]);
    // The end of a limit or an invitation is in the future, every other cause was after the beginning.
    if (hasTime) expect(Date.parse(line?.time ?? '')).toBeGreaterThanOrEqual(start);
    expect(JSON.stringify(asked)).not.toMatch(/\b\d{6}\b(?!Z|\.)/);
    if (asked.user_id === null) return;
    const query = typeof made === 'object' && 'query' in made ? made.query : undefined;
    expect(await explainAddress(asked.email, query?.replace('?', '&'))).toEqual(asked);
  });

  test('has at least thirty reasons at which a sign-in stops, each made above', () => {
    const stopping = REASONS.filter(([, , stops]) => stops).map(([reason]) => reason);
    expect(new Set(stopping).size).toBe(stopping.length);
    expect(stopping.length).toBeGreaterThanOrEqual(30);
  });

  test('reports that a complete user can sign in, and counts no attempt itself', async () => {
    const user = await ada();
    await member(user);
    const first = await explain(user.id);
    expect(first).toMatchObject({
      user_id: user.id,
      email: EMAIL,
      can_sign_in: true,
      stops_at: null,
      required_steps: [],
      summary: 'Nothing stops a sign-in, and it needs no further step.',
    });
    expect(first.lines.map(({ reason }) => reason)).toEqual(['account_found', 'address_verified', 'membership_active']);
    for (let at = 0; at < 15; at += 1) await explain(user.id);
    expect((await tryPassword(PASSWORD)).status).toBe(200);
  });

  test('names the steps that a sign-in needs beyond the password', async () => {
    const { id } = await ada({ email_verified: false });
    expect(await explain(id)).toMatchObject({
      can_sign_in: true,
      required_steps: ['address_unverified'],
      summary: 'The password is not enough: the sign-in also needs a mailed code, because the address is not verified.',
    });
    await settings({ mfa: 'required' });
    const { required_steps: steps, summary } = await explain(id);
    expect(steps).toEqual(['address_unverified', 'factor_enrollment_required']);
    expect(summary).toMatch(/verified and a second factor, which the user does not have yet\.$/);
  });

  test('says when a mailed code that was not entered expires, and then that it has expired', async () => {
    const { id } = await ada({ email_verified: false });
    expect((await tryPassword(PASSWORD)).status).toBe(403);
    const findMessage = async (check: string) => (await explain(id)).lines.find((line) => line.check === check);
    const [address, message] = [await findMessage('address'), await findMessage('message')];
    expect(address?.message).toMatch(/mailed at \S+Z and was not entered\. It is valid until \S+Z\.$/);
    expect(Date.parse(address?.time ?? '')).toBeLessThanOrEqual(await now());
    expect(message).toMatchObject({
      status: 'notice',
      message: expect.stringMatching(/Its code is valid until \S+Z\.$/),
    });
    await advance(660);
    expect((await findMessage('address'))?.message).toMatch(
      /It expired at \S+Z: the next sign-in mails another one\.$/,
    );
    expect((await findMessage('message'))?.message).toMatch(/Its code expired at \S+Z\.$/);
  });

  test('says that a user without a password signs in with a mailed code', async () => {
    const { id } = await withoutPassword();
    expect((await explain(id)).summary).toMatch(/^The user has no password .* with a mailed code\.$/);
    await call('DELETE', `${USERS}/${id}`);
    expect((await explain(id)).summary).toBe('The sign-in stops here: The account was deleted.');
  });

  test('reports that a mail waits because SES does not accept it', async () => {
    const { id } = await withoutPassword();
    await addFault({ target: 'mail', kind: 'throttle' });
    await sendCode();
    const path = `/x/user-management/users/${id}/sign_in_explanation`;
    const asked = await eventually(
      async () => (await call<Explanation>('GET', path)).body,
      ({ lines }) => lines.some(({ check }) => check === 'message'),
    );
    expect(asked.lines.map(({ reason }) => reason)).toContain('message_queued');
  });

  test('is not shown to another environment, for a user, a deleted user or an address', async () => {
    const { id } = await ada();
    const { id: deleted } = await newUser({ email: 'gone@acme.example' });
    await call('DELETE', `${USERS}/${deleted}`);
    await idle();
    const { apiKey } = await otherEnvironment();
    for (const user of [id, deleted, 'user_01JX0000000000000000000000', 'user_nobody']) {
      const path = `/x/user-management/users/${user}/sign_in_explanation`;
      expect((await call('GET', path, undefined, { apiKey })).status).toBe(404);
    }
    const path = `/x/user-management/sign_in_explanation?email=${EMAIL}`;
    const { body } = await call<Explanation>('GET', path, undefined, { apiKey });
    expect(body).toMatchObject({ user_id: null, stops_at: 'account_missing' });
    expect(body.lines).toHaveLength(1);
  });

  test.each([
    ['no address', 'sign_in_explanation'],
    ['a text that is no address', 'sign_in_explanation?email=ada'],
    ['an organization that is none', `sign_in_explanation?email=${EMAIL}&organization_id=acme`],
    ['a text that is no IP address', `sign_in_explanation?email=${EMAIL}&ip_address=here`],
  ])('rejects %s', async (_, path) => {
    expect((await call('GET', `/x/user-management/${path}`)).status).toBe(422);
  });
});
