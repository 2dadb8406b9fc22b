import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import type { Failure } from '../../../functions/kernel/errors.ts';
import { sha256Hex } from '../../../functions/kernel/keys/hash.ts';
import { ownerKey } from '../../../functions/kernel/storage/record.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { smsAdmissions } from '../../../functions/proofs/radar/challenge/entity.ts';
import {
  admitSmsChallenge,
  checkRadarChallenge,
  type RadarBinding,
  type RadarChallengeRecord,
  findRadarPhone,
  stageRadarChallenge,
} from '../../../functions/proofs/radar/public.ts';
import { proveEmail } from '../../../functions/proofs/modules/email-proofs/proof/prove-email.ts';
import { findUser } from '../../../functions/tenancy/modules/users/public.ts';
import { advance, call, idle, messages, reset, sdk } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { addUser, environment } from '../../support/users.ts';
import { retry } from '../../support/retries.ts';

const EMAIL = 'ada@example.com';
const PHONE = '+15005550006';
const TOKEN = 'pending_token_of_the_first_sign_in';

let environmentId: string;
let userId: string;

beforeEach(async () => {
  await reset();
  clock.reset();
  userId = await addUser(EMAIL);
  environmentId = await environment();
});

/** Applies work like a sign-in: again after a conflict, and counting only once. */
async function apply<T>(work: (unit: Unit) => Promise<T>): Promise<T> {
  const done = new Map<string, Promise<unknown>>();
  const commit = async () => {
    const unit = new Unit(environmentId, systemActor, done);
    const result = await work(unit);
    return { result, ...(await unit.commit()) };
  };
  return (await retry(commit, ({ kind }) => kind === 'committed')).result;
}

const stage = (wanted: { kind: 'email' } | { kind: 'sms'; phoneNumber: string }): Promise<RadarChallengeRecord> =>
  apply((unit) => stageRadarChallenge(unit, { environmentId, user: { id: userId, email: EMAIL }, ...wanted }));

const check = (id: string, code: string, binding: Partial<RadarBinding> = {}) =>
  apply((unit) => checkRadarChallenge(unit, environmentId, id, code, { userId, pendingToken: TOKEN, ...binding }));

const admit = (pendingToken = TOKEN) =>
  apply(async (unit) => admitSmsChallenge(unit, { environmentId, userId, pendingToken }));

const sendSms = (body: object = {}) =>
  call<{ verification_id: string; phone_number: string }>('POST', '/user_management/radar_challenges', {
    user_id: userId,
    pending_authentication_token: TOKEN,
    phone_number: PHONE,
    ...body,
  });

const codeSentTo = async (to: string): Promise<string> => (await messages(to))[0]?.code ?? '';
const wrong = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');

describe('a Radar challenge by mail', () => {
  test('consists of a record with its code, an event without the code, and a mail in the recipient’s language', async () => {
    const { id } = await apply((unit) =>
      stageRadarChallenge(unit, { environmentId, user: { id: userId, email: EMAIL, locale: 'de-AT' }, kind: 'email' }),
    );
    const [mail] = await messages(EMAIL);
    expect(mail?.subject).not.toContain(mail?.code);
    expect(mail?.text).toContain('Bestätigen Sie, dass Sie es sind');
    const { status, body } = await call('GET', `/user_management/radar_challenges/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'radar_challenge', id, type: 'email', user_id: userId, code: mail?.code });
    await idle();
    const events = await call<{ data: { data: object }[] }>('GET', '/events?events=radar.challenge_created');
    expect(events.body.data.map(({ data }) => data)).toEqual([
      { type: 'email', radar_challenge_id: id, user_id: userId, email: EMAIL },
    ]);
  });

  test('is accepted once, also with parallel attempts', async () => {
    const { id } = await stage({ kind: 'email' });
    const code = await codeSentTo(EMAIL);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => check(id, code)));
    expect(outcomes.filter((outcome) => outcome === 'valid')).toHaveLength(1);
    expect(await check(id, code)).toBe('used');
    // A correct code also counts as an attempt, because it is counted before it is compared.
    expect(await check(id, code)).toBe('too_many_attempts');
  });

  test('accepts five wrong attempts in total, also in parallel', async () => {
    const { id } = await stage({ kind: 'email' });
    const code = await codeSentTo(EMAIL);
    const tries = await Promise.allSettled(Array.from({ length: 100 }, (_, at) => check(id, wrong(code, at + 1))));
    // A busy machine may reject some attempts before they are checked.
    const looked = tries.filter((tried) => tried.status === 'fulfilled' && tried.value === 'invalid');
    expect(looked.length).toBeLessThanOrEqual(5);
    expect(await check(id, code)).toBe('too_many_attempts');
  });

  test('is invalidated by a newer challenge and by its expiry', async () => {
    const first = await stage({ kind: 'email' });
    const code = await codeSentTo(EMAIL);
    const second = await stage({ kind: 'email' });
    expect(await check(first.id, code)).toBe('expired');
    const newer = await codeSentTo(EMAIL);
    clock.advance(601_000);
    expect(await check(second.id, newer)).toBe('expired');
  });

  test('can be read until a day after its code expired', async () => {
    const { id } = await stage({ kind: 'email' });
    const readStatus = async () => (await call('GET', `/user_management/radar_challenges/${id}`)).status;
    await advance(86_400);
    expect(await readStatus()).toBe(200);
    await advance(900);
    expect(await readStatus()).toBe(404);
  });

  test('is only valid for its user', async () => {
    const { id } = await stage({ kind: 'email' });
    const code = await codeSentTo(EMAIL);
    const other = await addUser('eve@example.com');
    expect(await check(id, code, { userId: other })).toBe('not_found');
    expect(await check('radar_challenge_01ARZ3NDEKTSV4RRFFQ69G5FAV', code)).toBe('not_found');
    // A sign-in that needs a phone number does not accept a mail.
    for (const phoneNumber of ['', 'no number', PHONE])
      expect(await check(id, code, { phoneNumber })).toBe('not_found');
    expect(await check(id, code)).toBe('valid');
  });

  test('is sent at most three times a minute to a user', async () => {
    const sent = await Promise.allSettled(Array.from({ length: 6 }, () => stage({ kind: 'email' })));
    const rejected = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason as Failure] : []));
    expect(rejected).toHaveLength(3);
    for (const failure of rejected) expect(failure.declared.status).toBe(429);
    expect(await messages(EMAIL)).toHaveLength(3);
  });
});

describe('challenges of either kind', () => {
  test('are limited to thirty a day for a user', async () => {
    for (let minute = 0; minute < 10; minute += 1) {
      for (let one = 0; one < 3; one += 1) {
        await stage(one === 0 ? { kind: 'email' } : { kind: 'sms', phoneNumber: `+150055501${minute}${one}` });
      }
      clock.advance(61_000);
    }
    await expect(stage({ kind: 'email' })).rejects.toMatchObject({ declared: { status: 429 } });
    await expect(stage({ kind: 'sms', phoneNumber: PHONE })).rejects.toMatchObject({ declared: { status: 429 } });
    clock.advance(86_400_000);
    await stage({ kind: 'email' });
  });
});

describe('a challenge by SMS', () => {
  test('is sent to the phone number that the user enters in the sign-in, and proves it', async () => {
    await admit();
    const { status, body } = await sendSms({ phone_number: '+1 500-555-0006' });
    expect(status).toBe(201);
    expect(body).toEqual({ verification_id: expect.stringMatching(/^vrf_/), phone_number: PHONE });
    const code = await codeSentTo(PHONE);
    expect(await findRadarPhone(environmentId, userId)).toBeUndefined();
    const id = body.verification_id;
    expect(await check(id, code, { pendingToken: 'another' })).toBe('not_found');
    expect(await check(id, code, { phoneNumber: '+15005550009' })).toBe('not_found');
    expect(await check(id, wrong(code), { phoneNumber: PHONE })).toBe('invalid');
    expect(await findRadarPhone(environmentId, userId)).toBeUndefined();
    expect(await check(id, code, { phoneNumber: PHONE })).toBe('valid');
    expect(await findRadarPhone(environmentId, userId)).toBe(PHONE);
    expect((await call('GET', `/user_management/radar_challenges/${id}`)).status).toBe(404);
  });

  test('leaves no proven phone number if the address is verified for the first time afterwards', async () => {
    const { id } = await stage({ kind: 'sms', phoneNumber: PHONE });
    expect(await check(id, await codeSentTo(PHONE))).toBe('valid');
    await apply(async (unit) => {
      const user = await findUser(environmentId, userId);
      if (user !== undefined) await proveEmail(unit, { ...user, emailVerified: false, everProved: false });
    });
    expect(await findRadarPhone(environmentId, userId)).toBeUndefined();
  });

  test('does not replace a proven phone number', async () => {
    for (const phoneNumber of [PHONE, '+15005550009']) {
      const { id } = await stage({ kind: 'sms', phoneNumber });
      expect(await check(id, await codeSentTo(phoneNumber))).toBe('valid');
    }
    expect(await findRadarPhone(environmentId, userId)).toBe(PHONE);
  });

  test('to a proven phone number is valid only for its user', async () => {
    const { id } = await stage({ kind: 'sms', phoneNumber: PHONE });
    expect(await check(id, await codeSentTo(PHONE), { pendingToken: 'any' })).toBe('valid');
  });

  test.each([
    ['a token of no sign-in', { pending_authentication_token: 'unknown' }],
    ['another user', { user_id: 'user_01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
  ])('is not sent for %s', async (_, body) => {
    await admit();
    expect(await sendSms(body)).toMatchObject({ status: 400, body: { code: 'invalid_pending_authentication_token' } });
    expect(await messages(PHONE)).toEqual([]);
  });

  test('is not sent for another user’s or a finished sign-in', async () => {
    await admit();
    const rejection = { status: 400, body: { code: 'invalid_pending_authentication_token' } };
    expect(await sendSms({ user_id: await addUser('eve@example.com') })).toMatchObject(rejection);
    // An expired row that DynamoDB has not removed yet.
    const ended = { id: sha256Hex('an older token'), owner: ownerKey('user', userId), expiresAt: clock.seconds() - 1 };
    await apply(async (unit) => unit.stage(smsAdmissions.create({ environmentId, userId, ...ended }).write));
    expect(await sendSms({ pending_authentication_token: 'an older token' })).toMatchObject(rejection);
    expect(await messages(PHONE)).toEqual([]);
  });

  test.each(['', '5005550006', '+1 500 555 0006 ext 1'])('is not sent to %j', async (number) => {
    await admit();
    expect(await sendSms({ phone_number: number })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'phone_number' }] },
    });
  });

  test('is sent at most three times a minute to a user, over all phone numbers (SMS pumping)', async () => {
    await admit();
    const numbers = Array.from({ length: 6 }, (_, at) => `+1500555000${at}`);
    const responses = await Promise.all(numbers.map((number) => sendSms({ phone_number: number })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429]);
  });

  test('is sent five times in ten minutes to a number, and then rejected with 429 and Retry-After', async () => {
    const others = await Promise.all(['bo@example.com', 'cy@example.com'].map((email) => addUser(email)));
    for (const user of [userId, ...others]) {
      await apply(async (unit) =>
        admitSmsChallenge(unit, { environmentId, userId: user, pendingToken: `token of ${user}` }),
      );
    }
    const sends = [userId, ...others].flatMap((user) => [user, user, user]);
    const responses = await Promise.all(
      sends.map((user) => sendSms({ user_id: user, pending_authentication_token: `token of ${user}` })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    const [rejected] = responses.filter(({ status }) => status === 429);
    expect(Number(rejected?.headers['retry-after'])).toBeGreaterThan(500);
  });

  test('is limited by the client address that the back end forwards, over all phone numbers', async () => {
    await setSettings({ limits: { 'sms.address': { limit: 2 } } });
    await admit();
    const from = (ip_address: string, phone_number: string) => sendSms({ ip_address, phone_number });
    expect((await from('2001:db8::1', '+15005550101')).status).toBe(201);
    expect((await from('2001:db8::2', '+15005550102')).status).toBe(201);
    const rejected = await from('2001:db8::3', '+15005550103');
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(500);
    await advance(61);
    await admit('another token');
    const elsewhere = { ip_address: '2001:db8:1::1', pending_authentication_token: 'another token' };
    expect((await sendSms(elsewhere)).status).toBe(201);
  });

  test('can be sent by the SDK', async () => {
    await admit();
    const sent = await sdk().userManagement.sendRadarSmsChallenge({
      userId,
      pendingAuthenticationToken: TOKEN,
      phoneNumber: PHONE,
    });
    expect(sent).toEqual({ verificationId: expect.stringMatching(/^vrf_/), phoneNumber: PHONE });
  });
});
