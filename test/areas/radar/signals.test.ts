import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { forgetEnvironments } from '../../../functions/kernel/authentication/environment.ts';
import { httpEntry } from '../../../functions/kernel/http/entry.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { radarArea } from '../../../functions/proofs/radar/area.ts';
import { call as callHandler } from '../../kernel/http/calls.ts';
import { environment } from '../../support/users.ts';
import { addFault, advance, call, clearFaults, reset, service } from '../../support/service.ts';
import { type Browser, browser } from '../../support/browser.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { authorizeUrl, isAtApplication, makeUser, PASSWORD, register } from '../pages/application.ts';
import { assess, BROWSER, explained, list, readSignal, storedAttempts, succeed } from './support.ts';

beforeEach(() => reset());

const ORIGIN = 'https://shop.example.com';
const DEVICE = 'a1b2c3d4-e5f6-4711-8899-aabbccddeeff';

interface Report {
  signals_id: string;
  expires_in: number;
}

/** Reports signals like the script in a page. */
async function report(members: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const { clientId } = await service();
  const body = { client_id: clientId, automation: false, device: DEVICE, ...members };
  return call<Report & { errors: { field: string }[] }>('POST', '/x/radar/signals', body, { apiKey: null, headers });
}

const newSignals = async (members: Record<string, unknown> = {}): Promise<string> =>
  (await report(members)).body.signals_id;

test('the script that collects signals is served to any page, without a key', async () => {
  const { status, headers, body } = await call<string>('GET', '/x/radar/signals.js', undefined, { apiKey: null });
  expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(body).toContain('gatehouseRadar');
});

describe('a signals_id', () => {
  test('names the device of one attempt: it can be used once, for fifteen minutes, and only in its environment', async () => {
    const first = await report();
    expect([first.status, first.body.expires_in]).toEqual([201, 900]);
    const { attempt_id: known } = await assess({ signals_id: first.body.signals_id });
    expect(await readSignal(known, 'device_attempts_minute')).toBe(1);
    expect(await readSignal(known, 'automation')).toBe(false);
    const { attempt_id: again } = await assess({ signals_id: first.body.signals_id });
    expect(await readSignal(again, 'automation')).toBe('the signals_id is unknown, used or expired');
    expect(await readSignal(again, 'device_known')).toContain('signals_id');
    const late = await newSignals();
    await advance(901);
    expect(await readSignal((await assess({ signals_id: late })).attempt_id, 'automation')).toMatch(/expired/);
    const { apiKey } = await otherEnvironment();
    const foreign = await newSignals();
    const members = { ip_address: '203.0.113.7', user_agent: 'x', auth_method: 'Other', action: 'sign-in' };
    const attempt = { ...members, email: 'ada@example.com', signals_id: foreign };
    const { body } = await call<{ attempt_id: string }>('POST', '/radar/attempts', attempt, { apiKey });
    const elsewhere = await call<{ signals: { name: string; not_evaluated: string | null }[] }>(
      'GET',
      `/x/radar/attempts/${body.attempt_id}`,
      undefined,
      { apiKey },
    );
    const found = elsewhere.body.signals.find(({ name }) => name === 'automation');
    expect(found?.not_evaluated).toMatch(/unknown/);
  });

  test('of parallel attempts counts for one of them', async () => {
    const signals_id = await newSignals();
    const all = await Promise.all(Array.from({ length: 6 }, () => assess({ signals_id })));
    const values = await Promise.all(all.map(({ attempt_id: id }) => readSignal(id, 'automation')));
    expect(values.filter((value) => value === false)).toHaveLength(1);
  });

  test('makes its device known after a success, which exempts later attempts from `unrecognized_device` but not from the brute-force rules', async () => {
    const { attempt_id: home } = await assess({ signals_id: await newSignals() });
    expect(await readSignal(home, 'script_device_known')).toBe('no success of this email was reported');
    await succeed(home);
    await advance(120);
    const same = await assess({ signals_id: await newSignals() });
    expect(same.verdict).toBe('allow');
    expect(await readSignal(same.attempt_id, 'script_device_known')).toBe(true);
    expect(await readSignal(same.attempt_id, 'device_known')).toBe(
      'the script named the device: see script_device_known',
    );
    const other = await assess({ signals_id: await newSignals({ device: 'f'.repeat(32) }) });
    expect(other).toMatchObject({ verdict: 'challenge', control: 'unrecognized_device' });
    expect(other.reason).toBe('No success by the device that the page named is known');
    await Promise.all(Array.from({ length: 10 }, () => assess({ ip_address: '198.51.100.1' })));
    const attacked = await assess({ signals_id: await newSignals() });
    expect(attacked).toMatchObject({ verdict: 'challenge', control: 'brute_force_attack' });
  });

  test('from a browser that a program controls is challenged, and a page that names no device has none', async () => {
    const robot = await assess({ signals_id: await newSignals({ automation: true, device: undefined }) });
    expect(robot).toMatchObject({ verdict: 'challenge', control: 'bot_detection' });
    expect(await readSignal(robot.attempt_id, 'automation')).toBe(true);
    expect(await readSignal(robot.attempt_id, 'device_attempts_hour')).toMatch(/no device was named/);
  });

  test('contains a device that a list can block', async () => {
    const signals_id = await newSignals();
    const [, device = ''] = /_([0-9a-f]{32})$/.exec(signals_id) ?? [];
    await list('device', 'block', device);
    expect(await assess({ signals_id })).toMatchObject({ verdict: 'block', blocklist_type: 'device' });
    const { lists } = await explained((await assess()).attempt_id);
    expect(lists?.not_evaluated.map(({ type }) => type)).toEqual(['device', 'device_fingerprint', 'country']);
  });
});

describe('the report of the script', () => {
  test('is rejected with the name of the invalid member, and for an unknown environment', async () => {
    for (const [members, field] of [
      [{ device: 'short' }, 'device'],
      [{ device: `${DEVICE}🚀` }, 'device'],
      [{ device: 'x'.repeat(129) }, 'device'],
      [{ automation: 'yes' }, 'automation'],
    ] as const) {
      const { status, body } = await report(members);
      expect([members, status, body.errors[0]?.field]).toEqual([members, 400, field]);
    }
    for (const client_id of ['client_01J00000000000000000000000', 'nobody', '\uFFFF', 7, null]) {
      expect((await report({ client_id })).status).toBe(400);
    }
  });

  test('is limited for each network of browsers', async () => {
    const environmentId = await environment();
    await applyWork(environmentId, systemActor, async (unit) => {
      const stored = await environments.get(environmentId, environmentId);
      if (stored === undefined) throw new Error('There is no environment');
      const limits = { 'radar-signals.address': { limit: 2 } };
      unit.stage(environments.revise(stored, { settings: { limits } }).write);
    });
    forgetEnvironments();
    // The service of the tests has no limits by address, so the function is called in this process.
    const { clientId } = await service();
    const former = process.env.GATEHOUSE_ADDRESS_LIMITS;
    process.env.GATEHOUSE_ADDRESS_LIMITS = 'on';
    forgetSettings();
    try {
      const handler = httpEntry(radarArea);
      const body = JSON.stringify({ client_id: clientId, automation: false });
      const headers = { 'content-type': 'application/json' };
      const from = async (sourceIp: string) =>
        (await callHandler(handler, 'POST', '/x/radar/signals', { headers, body, sourceIp })).status;
      const statuses = [];
      for (const at of [1, 2, 3]) statuses.push(await from(`2001:db8::${at}`));
      expect([...statuses, await from('2001:db8:0:1::1')]).toEqual([201, 201, 429, 201]);
    } finally {
      if (former === undefined) delete process.env.GATEHOUSE_ADDRESS_LIMITS;
      else process.env.GATEHOUSE_ADDRESS_LIMITS = former;
      forgetSettings();
    }
  });

  test('can be read by pages of registered origins only, without cookies', async () => {
    await call('POST', '/user_management/cors_origins', { origin: ORIGIN });
    const { headers } = await report({}, { origin: ORIGIN });
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    const foreign = await report({}, { origin: 'https://evil.example.com' });
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('that cannot be read does not change the verdict of the attempt', async () => {
    const signals_id = await newSignals();
    await clearFaults();
    const fault = await addFault({ target: 'table', kind: 'unavailable', operations: ['DeleteItem'] });
    const { verdict, attempt_id: id } = await assess({ signals_id });
    await clearFaults(fault.id);
    expect([verdict, await readSignal(id, 'automation')]).toEqual(['allow', expect.any(String)]);
  });

  test('comes from a script of less than two kilobytes that pages of other origins may load', async () => {
    const { url } = await service();
    const response = await fetch(`${url}/x/radar/signals.js`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(text.length).toBeLessThan(2_048);
    expect(text).toContain('/x/radar/signals');
  });
});

describe('the hosted pages', () => {
  test('report signals only with the setting `all`, and identify the device by a cookie that scripts cannot read', async () => {
    const agent = { 'user-agent': BROWSER };
    const person = browser(agent);
    await register();
    await makeUser('ada@example.com');
    const before = await person.open(await authorizeUrl({ prompt: 'login', login_hint: 'ada@example.com' }));
    expect(before.text).not.toContain('data-signals');
    expect(before.headers.get('content-security-policy')).not.toContain('connect-src');
    await call('PUT', '/x/radar/settings', { sign_in: 'all' });
    await advance(6);
    const { url, clientId } = await service();
    const open = async (visitor: Browser) =>
      visitor.submit(await visitor.open(await authorizeUrl({ prompt: 'login' })), { email: 'ada@example.com' });
    const form = await open(person);
    expect(form.text).toContain(`data-signals="${clientId}"`);
    expect(form.headers.get('content-security-policy')).toContain(`connect-src ${url}/x/radar/signals;`);
    // A signals_id from another page does not replace the device of the cookie.
    const signals_id = await newSignals();
    expect(isAtApplication(await person.submit(form, { password: PASSWORD, signals_id }))).toBe(true);
    expect(isAtApplication(await person.submit(await open(person), { password: PASSWORD }))).toBe(true);
    const [first, second] = await storedAttempts();
    expect([first?.device, second?.device]).toEqual([expect.stringMatching(/^browser /), first?.device]);
    expect(await readSignal(first?.id ?? '', 'automation')).toBe(false);
    expect(await readSignal(second?.id ?? '', 'automation')).toBe('no signals_id was sent');
    expect(await readSignal(second?.id ?? '', 'device_known')).toBe(true);
    const robot = browser(agent);
    const caught = await robot.submit(await open(robot), {
      password: PASSWORD,
      signals_id: await newSignals({ automation: true, device: undefined }),
    });
    expect(caught.url).toContain('/hosted/verify-device');
  });
});
