import { beforeEach, describe, expect, test } from '@jest/globals';

import { newId } from '../../../functions/kernel/ids.ts';
import { BATCH, writeBatch } from '../../../functions/kernel/storage/batch.ts';
import { attempts } from '../../../functions/proofs/radar/attempt/entity.ts';
import { environment } from '../../support/users.ts';
import { addFault, advance, call, clearFaults, reset, sdk } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { assess, BROWSER, explained, list, rules, setModes, readSignal, succeed } from './support.ts';

beforeEach(() => reset());

const attempt = {
  ipAddress: '203.0.113.7',
  userAgent: BROWSER,
  email: 'ada@example.com',
  authMethod: 'Password',
  action: 'sign-in',
} as const;

describe('a Radar attempt', () => {
  test('of the official SDK is assessed and reported as successful', async () => {
    const { radar } = sdk();
    const found = await radar.createAttempt(attempt);
    expect(found).toMatchObject({ verdict: 'allow', attemptId: expect.stringMatching(/^radar_att_/) });
    expect(found.control).toBeUndefined();
    await radar.updateAttempt({ id: found.attemptId, challengeStatus: 'success' });
    await radar.updateAttempt({ id: found.attemptId, attemptStatus: 'success' });
    await radar.updateAttempt({ id: found.attemptId });
    expect(await explained(found.attemptId)).toMatchObject({ challenge_status: 'success', attempt_status: 'success' });
  });

  test('accepts both spellings of an action, and rejects an invalid address, email, method or action by its name', async () => {
    for (const action of ['sign-up', 'SIGN_UP', 'sign-in', 'SIGN_IN']) {
      const { attempt_id: id } = await assess({ action });
      const { body } = await call('GET', `/x/radar/attempts/${id}`);
      expect(body.action).toBe(action.toLowerCase().replace('_', '-'));
    }
    const valid = {
      ip_address: '203.0.113.7',
      user_agent: '',
      email: 'a@example.com',
      auth_method: 'SSO',
      action: 'sign-in',
    };
    const rejected: [object, string][] = [
      [{ ip_address: 'localhost' }, 'ip_address'],
      [{ ip_address: '203.0.113.7/24' }, 'ip_address'],
      [{ email: 'nobody' }, 'email'],
      [{ email: 'a@\uFFFF' }, 'email'],
      [{ auth_method: 'password' }, 'auth_method'],
      [{ action: 'login' }, 'action'],
      [{ user_agent: null }, 'user_agent'],
      [{ user_agent: 'x'.repeat(65_536) }, 'user_agent'],
      [{ signals_id: 'x'.repeat(256) }, 'signals_id'],
    ];
    for (const [members, field] of rejected) {
      const { status, body } = await call<{ errors: { field: string }[] }>('POST', '/radar/attempts', {
        ...valid,
        ...members,
      });
      expect([members, status, body.errors[0]?.field]).toEqual([members, 400, field]);
    }
    expect((await assess({ ...valid, user_agent: '🚀\uFFFF' })).verdict).toBe('allow');
  });

  test('gets its outcome once: a repetition changes nothing, it cannot be undone, and `{}` or no body is accepted', async () => {
    const { attempt_id: id } = await assess();
    expect((await succeed(id, {})).status).toBe(204);
    expect((await call('PUT', `/radar/attempts/${id}`)).status).toBe(204);
    expect((await explained(id)).attempt_status).toBeNull();
    for (let turn = 0; turn < 3; turn += 1) expect((await succeed(id)).status).toBe(204);
    expect((await succeed(id, { attempt_status: null, challenge_status: null })).status).toBe(204);
    expect((await succeed(id, { attempt_status: 'failure' })).status).toBe(400);
    expect((await explained(id)).attempt_status).toBe('success');
    // An attempt that is reported three times counts as one success.
    await assess();
    const { attempt_id: third } = await assess();
    expect(await readSignal(third, 'email_unconfirmed_hour')).toBe(2);
  });

  test('that is unknown, expired or of another environment cannot be updated or explained', async () => {
    const { attempt_id: id } = await assess();
    const { apiKey } = await otherEnvironment();
    for (const path of [`/radar/attempts/${id}`, '/radar/attempts/radar_att_01J00000000000000000000000']) {
      expect((await call('PUT', path, {}, { apiKey })).status).toBe(404);
      expect((await call('GET', `/x${path}`, undefined, { apiKey })).status).toBe(404);
    }
    await advance(25 * 3_600);
    expect((await succeed(id)).status).toBe(404);
    expect((await explained(id)).attempt_status).toBeNull();
    await advance(30 * 86_400);
    expect((await call('GET', `/x/radar/attempts/${id}`)).status).toBe(404);
  });

  test('is counted by its mailbox, however the address is written, and by its IPv6 network', async () => {
    const spellings = ['ada.lovelace@gmail.com', 'AdaLovelace+shop@gmail.com', 'adalovelace@googlemail.com'];
    let last = '';
    for (const [at, email] of spellings.entries()) {
      last = (await assess({ email, ip_address: `2001:db8:1:2::${at}` })).attempt_id;
    }
    expect(await readSignal(last, 'email_attempts_minute')).toBe(3);
    expect(await readSignal(last, 'address_attempts_minute')).toBe(3);
    expect(await readSignal(last, 'address_emails_hour')).toBe(1);
    const { attempt_id: elsewhere } = await assess({
      email: 'ada.lovelace@example.com',
      ip_address: '2001:db8:1:3::1',
    });
    expect(await readSignal(elsewhere, 'address_attempts_minute')).toBe(1);
  });

  test('stops counting after its minute, hour and day', async () => {
    await assess();
    const counts = async () => {
      const { attempt_id: id } = await assess();
      return Promise.all(['minute', 'hour', 'day'].map((length) => readSignal(id, `email_attempts_${length}`)));
    };
    expect(await counts()).toEqual([2, 2, 2]);
    await advance(121);
    const [minute] = await counts();
    expect(minute).toBe(1);
    await advance(2 * 3_600);
    expect((await counts()).slice(0, 2)).toEqual([1, 1]);
    await advance(2 * 86_400);
    expect(await counts()).toEqual([1, 1, 1]);
  });
});

describe('a control that needs a history', () => {
  test('for stale accounts challenges the first sign-in after half a year, and names the number of days', async () => {
    await succeed((await assess()).attempt_id);
    await advance(179 * 86_400);
    expect((await assess()).control).not.toBe('stale_account');
    await advance(2 * 86_400);
    await setModes({ unrecognized_device: 'off' });
    await advance(6);
    const found = await assess();
    expect(found).toMatchObject({ verdict: 'challenge', control: 'stale_account' });
    expect(found.reason).toBe('The last success was 181 days ago');
  });

  test('for repeated sign-ups challenges the third one of a mailbox in a day, and earlier for a disposable mailbox', async () => {
    const signUp = (email: string, more: object = {}) => assess({ email, action: 'SIGN_UP', ...more });
    const verdicts = [];
    for (const tag of ['', '+a', '+b']) verdicts.push(await signUp(`eve${tag}@gmail.com`));
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['allow', 'allow', 'challenge']);
    expect(verdicts[2]).toMatchObject({ control: 'repeat_sign_up', reason: expect.stringMatching(/^3 sign-ups/) });
    const elsewhere = { ip_address: '198.51.100.9' };
    expect((await signUp('a@mailinator.com', elsewhere)).verdict).toBe('allow');
    expect(await signUp('b@mailinator.com', elsewhere)).toMatchObject({ control: 'repeat_sign_up' });
  });
});

describe('parallel attempts', () => {
  test('are all counted, and their verdicts differ only because of the counts', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => assess({ email: 'bob@example.com' })));
    const assessed = await Promise.all(
      all.map(async ({ attempt_id: id, verdict }) => ({
        count: Number(await readSignal(id, 'email_attempts_minute')),
        verdict,
      })),
    );
    const counts = assessed.map(({ count }) => count).sort((a, b) => a - b);
    expect(counts).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
    for (const { count, verdict } of assessed)
      expect([count, verdict]).toEqual([count, count >= 10 ? 'challenge' : 'allow']);
  });
});

describe('attempts whose counters cannot be read', () => {
  test('are challenged, and neither blocked nor rejected with an error', async () => {
    await clearFaults();
    await addFault({ target: 'table', kind: 'unavailable', operations: ['UpdateItem'] });
    const found = await assess();
    expect(found).toMatchObject({ verdict: 'challenge', control: 'brute_force_attack' });
    await clearFaults();
    expect(await readSignal(found.attempt_id, 'email_attempts_minute')).toBe('the counters could not be read');
    expect((await succeed(found.attempt_id)).status).toBe(204);
  });

  test('are not challenged if brute-force detection is off, and block entries still apply', async () => {
    await setModes({ brute_force_attack: 'off' });
    await list('email', 'block', 'eve@example.com');
    await advance(6);
    await clearFaults();
    await addFault({ target: 'table', kind: 'throttle', operations: ['UpdateItem'] });
    expect((await assess()).verdict).toBe('allow');
    expect(await assess({ email: 'eve@example.com' })).toMatchObject({ verdict: 'block', control: 'restriction' });
  });

  test('an attempt that cannot be stored still gets its verdict', async () => {
    await assess();
    await clearFaults();
    await addFault({ target: 'table', kind: 'unavailable', operations: ['PutItem', 'TransactWriteItems'] });
    expect(await assess()).toMatchObject({ verdict: 'allow' });
  });
});

describe('the rule set', () => {
  test('of an environment replaces the default one as its next version, which each attempt names', async () => {
    const before = await rules();
    expect(before).toMatchObject({ is_default: true, version: expect.stringMatching(/^default\./) });
    const { attempt_id: first } = await assess({ user_agent: 'curl/8.7.1' });
    expect(await explained(first)).toMatchObject({ verdict: 'challenge', rules_version: before.version });
    expect((await setModes({ bot_detection: 'block' })).version).toBe('1');
    expect((await setModes({ bot_detection: 'off' })).version).toBe('2');
    await advance(6);
    const { attempt_id: second, verdict } = await assess({ user_agent: 'curl/8.7.1' });
    expect([verdict, (await explained(second)).rules_version]).toEqual(['allow', '2']);
    expect((await call('DELETE', '/x/radar/rules')).body).toEqual(before);
    expect((await setModes({})).version).toBe('4');
  });

  test('can be simulated on earlier attempts, and has the simulated results when it is applied', async () => {
    await reset({ calm: true });
    const curl = { user_agent: 'curl/8.7.1', email: 'eve@example.com' };
    await assess();
    const { attempt_id: id } = await assess(curl);
    const { controls, rules: all } = await rules();
    const proposed = { controls: { ...controls, bot_detection: { mode: 'block', threshold: 100 } }, rules: all };
    const { status, body } = await call('POST', '/x/radar/simulate', proposed);
    expect([status, body]).toMatchObject([
      200,
      {
        attempts: 2,
        before: { allow: 1, challenge: 1, block: 0 },
        after: { allow: 1, challenge: 0, block: 1 },
        changed: 1,
        changes: [
          { attempt_id: id, before: { verdict: 'challenge' }, after: { verdict: 'block', control: 'bot_detection' } },
        ],
      },
    ]);
    expect((await rules()).is_default).toBe(true);
    expect((await assess(curl)).verdict).toBe('challenge');
    expect((await call('PUT', '/x/radar/rules', proposed)).status).toBe(200);
    await advance(6);
    expect(await assess(curl)).toMatchObject({ verdict: 'block', control: 'bot_detection' });
  });

  test('is simulated on exactly the last 1,000 attempts, which need more than one page of the table', async () => {
    await reset({ calm: true });
    const { attempt_id: id } = await assess({ user_agent: 'curl/8.7.1' });
    const environmentId = await environment();
    const stored = await attempts.get(environmentId, id);
    if (stored === undefined) throw new Error('The attempt was not stored');
    const copies = Array.from({ length: 1_025 }, () => attempts.create({ ...stored, id: newId('radar_att') }).write);
    const requests = copies.map(({ params }) => ({ PutRequest: { Item: params.Item ?? {} } }));
    for (let at = 0; at < requests.length; at += BATCH) await writeBatch(requests.slice(at, at + BATCH));
    const { controls, rules: all } = await rules();
    const proposed = { controls: { ...controls, bot_detection: { mode: 'off', threshold: 100 } }, rules: all };
    const { body } = await call<{ changes: unknown[] }>('POST', '/x/radar/simulate', proposed);
    expect(body).toMatchObject({ attempts: 1_000, changed: 1_000, after: { allow: 1_000, challenge: 0, block: 0 } });
    expect(body.changes).toHaveLength(100);
  });

  test('with an invalid member is rejected with an error that names it, and the current rule set stays', async () => {
    const { controls, rules: all } = await rules();
    const [rule = {}] = all;
    const rejected: [object, string][] = [
      [{ controls: { ...controls, bot_detection: { mode: 'maybe' } }, rules: all }, 'controls.bot_detection.mode'],
      [{ controls, rules: [{ ...rule, message: 'from {address}' }] }, 'rules.0.message'],
      [{ controls, rules: [rule, rule] }, 'rules.1.name'],
      [
        { controls, rules: [{ ...rule, when: [{ signal: 'shoe_size', op: 'eq', value: 1 }] }] },
        'rules.0.when.0.signal',
      ],
      [{ controls, rules: [{ ...rule, when: [{ signal: 'device_known', op: 'gte', value: 1 }] }] }, 'rules.0.when.0'],
      [{ controls, rules: [{ ...rule, points: 101 }] }, 'rules.0.points'],
      [{ controls, rules: Array.from({ length: 101 }, (_, at) => ({ ...rule, name: `rule-${at}` })) }, 'rules'],
    ];
    for (const path of ['PUT /x/radar/rules', 'POST /x/radar/simulate'] as const) {
      const [method = '', target = ''] = path.split(' ');
      for (const [body, field] of rejected) {
        const response = await call<{ errors: { field: string }[] }>(method, target, body);
        expect([field, response.status, response.body.errors[0]?.field]).toEqual([field, 422, field]);
      }
    }
    expect((await rules()).is_default).toBe(true);
  });

  test('of one environment does not affect another environment', async () => {
    const { apiKey } = await otherEnvironment();
    await setModes({ bot_detection: 'off' });
    const { body } = await call('GET', '/x/radar/rules', undefined, { apiKey });
    expect(body).toMatchObject({ is_default: true });
  });
});
