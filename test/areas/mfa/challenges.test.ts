import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, idle, messages, now, reset } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { addUser } from '../../support/users.ts';
import { challenge, readCode, enrol, enrolApp, type Factor, PHONE, verify, wrong } from './factor.ts';

beforeEach(() => reset());

const count = (outcomes: readonly string[], wanted: string): number =>
  outcomes.filter((outcome) => outcome === wanted).length;

describe('the code of an authenticator app', () => {
  test('is valid in its own time step and the adjacent ones only', async () => {
    for (const [seconds, outcome] of [
      [-60, 'invalid'],
      [-30, 'valid'],
      [0, 'valid'],
      [30, 'valid'],
      [60, 'invalid'],
    ] as const) {
      const factor = await enrolApp();
      const { id } = await challenge(factor.id);
      // The test starts at the beginning of a time step, so that there is half a minute for the code.
      await advance(30 - (Math.floor((await now()) / 1_000) % 30));
      expect([seconds, await verify(id, await readCode(factor, seconds))]).toEqual([seconds, outcome]);
    }
  });

  test('may be typed with a space', async () => {
    const factor = await enrolApp();
    const code = await readCode(factor);
    expect(await verify((await challenge(factor.id)).id, ` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe('valid');
  });

  test('is accepted once, also in parallel over several challenges', async () => {
    const factor = await enrolApp();
    const open = await Promise.all(Array.from({ length: 50 }, () => challenge(factor.id)));
    const code = await readCode(factor);
    const outcomes = await Promise.all(open.map(({ id }) => verify(id, code)));
    expect(count(outcomes, 'valid')).toBe(1);
    expect(await verify((await challenge(factor.id)).id, await readCode(factor, -30))).not.toBe('valid');
  });

  test('passes a challenge once, also in parallel', async () => {
    const factor = await enrolApp();
    const { id } = await challenge(factor.id);
    const code = await readCode(factor);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => verify(id, code)));
    expect(count(outcomes, 'valid')).toBe(1);
    expect(await verify(id, await readCode(factor, 30))).toBe('422 authentication_challenge_previously_verified');
  });

  test('of another factor is not valid', async () => {
    const [one, other] = await Promise.all([enrolApp(), enrolApp()]);
    expect(await verify((await challenge(one.id)).id, await readCode(other))).toBe('invalid');
  });
});

describe('guessed codes', () => {
  test('are limited to five for a challenge, also in parallel', async () => {
    const factor = await enrol({ type: 'generic_otp' });
    const { id, code = '' } = await challenge(factor.id);
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, at) => verify(id, wrong(code, at + 1))));
    expect(count(outcomes, 'invalid')).toBe(5);
    expect(count(outcomes, '400 one_time_code_too_many_attempts')).toBe(95);
    expect(await verify(id, code)).toBe('400 one_time_code_too_many_attempts');
  });

  test('may be correct at the fifth attempt', async () => {
    const factor = await enrol({ type: 'generic_otp' });
    const { id, code = '' } = await challenge(factor.id);
    for (let at = 1; at <= 4; at += 1) expect(await verify(id, wrong(code, at))).toBe('invalid');
    expect(await verify(id, code)).toBe('valid');
  });

  test('are counted once each, even if a call is retried after a conflict with a concurrent guess', async () => {
    await reset({ calm: true });
    const factor = await enrol({ type: 'generic_otp' });
    const { id, code = '' } = await challenge(factor.id);
    for (let at = 1; at <= 3; at += 1) expect(await verify(id, wrong(code, at))).toBe('invalid');
    await addFault({ target: 'table', kind: 'conflict', operations: ['TransactWriteItems'], count: 4 });
    expect(await verify(id, code)).toBe('valid');
  });

  test('are limited to twenty an hour for a factor over all its challenges; correct codes do not count', async () => {
    const factor = await enrolApp();
    const tried: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      const { id } = await challenge(factor.id);
      const codes = [
        wrong(await readCode(factor), 3),
        wrong(await readCode(factor), 4),
        wrong(await readCode(factor), 5),
      ];
      tried.push(...(await Promise.all(codes.map((code) => verify(id, code)))));
    }
    expect(count(tried, 'invalid')).toBe(20);
    const { id } = await challenge(factor.id);
    expect(await verify(id, await readCode(factor))).toBe('400 one_time_code_too_many_attempts');
    await advance(3_601);
    for (let at = 0; at < 25; at += 1) {
      expect(await verify((await challenge(factor.id)).id, await readCode(factor))).toBe('valid');
      await advance(30);
    }
  });

  test('are limited to a hundred a day for a factor', async () => {
    await setSettings({ limits: { 'mfa.factor.daily': { limit: 4 } } });
    const factor = await enrolApp();
    for (let at = 0; at < 4; at += 1) {
      const { id } = await challenge(factor.id);
      expect(await verify(id, wrong(await readCode(factor), 3))).toBe('invalid');
      await advance(3_601);
    }
    const rejected = await challenge(factor.id);
    expect(await verify(rejected.id, await readCode(factor))).toBe('400 one_time_code_too_many_attempts');
    await advance(86_400);
    for (let at = 0; at < 6; at += 1) {
      expect(await verify((await challenge(factor.id)).id, await readCode(factor))).toBe('valid');
      await advance(30);
    }
  });

  test.each(['', ' ', '12345', '1234567', 'abcdef', '٠١٢٣٤٥'])(
    'that are not codes, such as %j, are rejected',
    async (code) => {
      const { id } = await challenge((await enrolApp()).id);
      expect(['invalid', '422 invalid_request_parameters']).toContain(await verify(id, code));
    },
  );
});

describe('a challenge', () => {
  test('expires after ten minutes', async () => {
    const factor = await enrolApp();
    const [early, late] = await Promise.all([challenge(factor.id), challenge(factor.id)]);
    await advance(300);
    expect(await verify(early.id, await readCode(factor))).toBe('valid');
    await advance(301);
    expect(await verify(late.id, await readCode(factor))).toBe('422 authentication_challenge_expired');
  });

  test('returns the code once if the caller delivers it, and invalidates the previous code', async () => {
    const factor = await enrol({ type: 'generic_otp' });
    const first = await challenge(factor.id);
    const second = await challenge(factor.id);
    expect(second.code).toMatch(/^\d{6}$/);
    expect(await verify(first.id, first.code ?? '')).toBe('422 authentication_challenge_expired');
    expect(await verify(second.id, first.code === second.code ? wrong(first.code ?? '') : (first.code ?? ''))).toBe(
      'invalid',
    );
    const { body } = await call('POST', `/auth/challenges/${second.id}/verify`, { code: second.code });
    expect(body).toEqual({ valid: true, challenge: expect.not.objectContaining({ code: expect.anything() }) });
  });

  test('with an unknown id returns 404', async () => {
    expect(await verify('auth_challenge_01ARZ3NDEKTSV4RRFFQ69G5FAV', '123456')).toBe('404 not_found');
  });

  test('emits no event when it is verified, since it is not a sign-in', async () => {
    const factor = await enrolApp(await addUser());
    const { id } = await challenge(factor.id);
    await verify(id, wrong(await readCode(factor), 3));
    await verify(id, await readCode(factor));
    await idle();
    const names = 'authentication.mfa_succeeded,authentication.mfa_failed';
    expect((await call<{ data: [] }>('GET', `/events?events=${names}`)).body.data).toEqual([]);
  });
});

describe('a phone factor', () => {
  const enrolPhone = (): Promise<Factor> => enrol({ type: 'sms', phone_number: PHONE });

  test('gets a code that no response contains, and that is valid only for the newest challenge', async () => {
    const factor = await enrolPhone();
    const first = await challenge(factor.id);
    expect(first).not.toHaveProperty('code');
    const [{ code: old = '' } = {}] = (await messages(PHONE)) as { code?: string }[];
    const second = await challenge(factor.id);
    const [sms] = await messages(PHONE);
    expect(sms).toMatchObject({ channel: 'sms', to: PHONE });
    expect(sms?.text).toMatch(/^\d{6} is your .+ code\. Never share it with anyone\.$/);
    expect(await verify(first.id, old)).toBe('422 authentication_challenge_expired');
    expect(await verify(second.id, sms?.code ?? '')).toBe('valid');
    expect(await verify(second.id, sms?.code ?? '')).toBe('422 authentication_challenge_previously_verified');
  });

  test('gets the text that the caller sent, with its line breaks', async () => {
    const factor = await enrolPhone();
    const { id } = await challenge(factor.id, { sms_template: 'Acme: {{ code }}, $& $1\n\n@acme.example #1' });
    const [sms] = await messages(PHONE);
    expect(sms?.text).toBe(`Acme: ${sms?.code}, $& $1\n\n@acme.example #1`);
    expect(await verify(id, sms?.code ?? '')).toBe('valid');
  });

  test('gets the service’s own text for an empty template, which a Go client always sends', async () => {
    const factor = await enrolPhone();
    const { id } = await challenge(factor.id, { sms_template: '' });
    const [sms] = await messages(PHONE);
    expect(sms?.text).toMatch(/^\d{6} is your .+ code\. Never share it with anyone\.$/);
    expect(await verify(id, sms?.code ?? '')).toBe('valid');
  });

  test('is challenged by a request without a body', async () => {
    const factor = await enrolPhone();
    expect((await call('POST', `/auth/factors/${factor.id}/challenge`)).status).toBe(201);
    expect(await messages(PHONE)).toHaveLength(1);
  });

  test.each(['Your code', '{{code}} {{code}}', '{code}', `{{code}}${'x'.repeat(153)}`])(
    'does not get the text %j',
    async (text) => {
      const factor = await enrolPhone();
      const response = await call('POST', `/auth/factors/${factor.id}/challenge`, { sms_template: text });
      expect(response).toMatchObject({ status: 422, body: { errors: [{ field: 'sms_template' }] } });
      expect(await messages(PHONE)).toEqual([]);
    },
  );

  test('gets at most five codes in ten minutes, over all factors with its number', async () => {
    const all = await Promise.all([
      enrolPhone(),
      enrolPhone(),
      enrolPhone(),
      enrolPhone(),
      enrolPhone(),
      enrolPhone(),
      enrolPhone(),
    ]);
    const responses = await Promise.all(all.map(({ id }) => call('POST', `/auth/factors/${id}/challenge`, {})));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    const rejected = responses.filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(2);
    for (const { body, headers } of rejected) {
      expect(body).toMatchObject({ code: 'sms_challenge_rate_limited' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(500);
    }
    expect(await messages(PHONE)).toHaveLength(5);
    await advance(600);
    await challenge(all[0]?.id ?? '');
  });

  const OTHER = '+15005550009';

  /** The factor after it was proven. */
  async function proven(phone_number: string): Promise<Factor> {
    const factor = await enrol({ type: 'sms', phone_number });
    const { id } = await challenge(factor.id);
    const [sms] = await messages(phone_number);
    expect(await verify(id, sms?.code ?? '')).toBe('valid');
    return factor;
  }

  test('gets no code after the environment has used up its hourly limit', async () => {
    const [one, other] = [await proven(PHONE), await proven(OTHER)];
    await setSettings({ limits: { 'sms.environment': { limit: 1 } } });
    await challenge(one.id);
    const rejected = await call('POST', `/auth/factors/${other.id}/challenge`, {});
    expect(rejected).toMatchObject({ status: 429, body: { code: 'sms_challenge_quota_reached' } });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(await messages(OTHER)).toHaveLength(1);
  });

  test('whose enrolment was not completed is counted by a separate limit', async () => {
    const known = await proven(OTHER);
    await setSettings({ limits: { 'sms.unproven': { limit: 2 } } });
    await challenge((await enrolPhone()).id);
    const another = await enrol({ type: 'sms', phone_number: '+15005550010' });
    const rejected = await call('POST', `/auth/factors/${another.id}/challenge`, {});
    expect(rejected).toMatchObject({ status: 429, body: { code: 'sms_challenge_quota_reached' } });
    await challenge(known.id);
    expect(await messages(OTHER)).toHaveLength(2);
  });
});
