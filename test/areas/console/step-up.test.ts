import { randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { obtainGrant } from '../../../functions/kernel/authentication/grant.ts';
import { OPERATOR_PERMISSIONS } from '../../../functions/kernel/authentication/operator-permission.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { type Browser, browser, type Page } from '../../support/browser.ts';
import { openConsole, openPath, openConsoleSession } from '../../support/console.ts';
import { consolePath } from '../../support/console-pages.ts';
import {
  completeSignIn,
  type EnrolledOperator,
  enrolOperator,
  openLink,
  signInOperator,
  stopAtResponse,
  enterPassword,
} from '../../support/operators.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, now, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { addOperator, allow, listSessions, readCode } from '../authentication/impersonating.ts';
import { environment, registerRedirectUri } from '../authentication/inside.ts';

const REASON = 'Ticket 5822: stolen telephone';
const FIVE_MINUTES = 300;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
});

describe('the API', () => {
  /** The grant of an operator with all permissions, whose last proof counts for some seconds. */
  const grant = async (seconds: number, id = 'user_01'): Promise<string> =>
    obtainGrant(await environment(), randomUUID(), {
      actor: { id, name: 'Ada' },
      operator: {
        permissions: OPERATOR_PERMISSIONS,
        roles: ['owner'],
        sessionHash: await openConsoleSession(id),
        address: '192.0.2.1',
        steppedUpUntil: (await now()) + seconds * 1_000,
      },
    });

  const ask = async (apiKey: string, method: string, path: string, body?: unknown, dryRun = false) => {
    const headers = { 'gatehouse-reason': encodeURIComponent(REASON), ...(dryRun && { 'gatehouse-dry-run': 'true' }) };
    const response = await call(method, path, body, { apiKey, headers });
    return [response.status, (response.body as { code?: string } | undefined)?.code];
  };
  const REQUIRED = [403, 'step_up_required'];
  const ENDPOINT = { endpoint_url: 'https://acme.example/hook', events: ['user.created'] };

  test('asks an operator for a proof of the last five minutes before deletions and acts on secrets', async () => {
    const old = await grant(-1);
    const userId = await addUser('ada@acme.example');
    expect(await ask(old, 'DELETE', `/user_management/users/${userId}`)).toEqual(REQUIRED);
    expect(await ask(old, 'POST', '/webhook_endpoints', ENDPOINT)).toEqual(REQUIRED);
    expect(await ask(old, 'DELETE', '/auth/factors/auth_factor_01K0G000000000000000000009')).toEqual(REQUIRED);
    expect((await ask(old, 'GET', '/vault/v1/kv/00000000-0000-4000-8000-000000000000'))[0]).toBe(403);
    expect((await ask(await grant(60), 'GET', '/vault/v1/kv/00000000-0000-4000-8000-000000000000'))[0]).toBe(404);
    const { body } = await call<{ data: unknown[] }>('GET', '/webhook_endpoints');
    expect([body.data, (await call('GET', `/user_management/users/${userId}`)).status]).toEqual([[], 200]);
    expect((await ask(await grant(60), 'DELETE', `/user_management/users/${userId}`))[0]).toBeLessThan(300);
  });

  test('asks for one before a session is opened as a user, and issues no code by an older one', async () => {
    await registerRedirectUri();
    await allow();
    const [operatorId, userId] = [await addOperator(), await addUser('ada@acme.example')];
    const path = `/x/user-management/users/${userId}/impersonations`;
    const old = await grant(FIVE_MINUTES, operatorId);
    await advance(FIVE_MINUTES);
    const headers = { 'gatehouse-reason': encodeURIComponent(REASON) };
    const rejected = await call<object>('POST', path, {}, { apiKey: old, headers });
    expect(rejected).toMatchObject({ status: 403, body: { code: 'step_up_required' } });
    expect(JSON.stringify(rejected.body)).not.toMatch(/"url"|code=/);
    expect(await listSessions(userId)).toEqual([]);
    const made = await call<{ url: string }>('POST', path, {}, { apiKey: await grant(60, operatorId), headers });
    expect([made.status, readCode(made.body)]).toEqual([201, expect.stringMatching(/.+/)]);
  });

  test('asks for none before reads, other acts on people, and configuration outside of production', async () => {
    const old = await grant(-1);
    expect((await ask(old, 'GET', '/user_management/users'))[0]).toBe(200);
    expect((await ask(old, 'POST', '/user_management/users', { email: 'bob@acme.example' }))[0]).toBe(201);
    expect((await ask(old, 'POST', '/user_management/redirect_uris', { uri: 'https://app.example.com/one' }))[0]).toBe(
      201,
    );
  });

  test('asks for one before configuration in production', async () => {
    const id = await environment();
    const record = await environments.get(id, id);
    if (record === undefined) throw new Error('There is no environment');
    await applyWork(id, systemActor, async (unit) =>
      unit.stage(environments.revise(record, { isProduction: true }).write),
    );
    await advance(6);
    const uri = { uri: 'https://app.example.com/one' };
    expect(await ask(await grant(-1), 'POST', '/user_management/redirect_uris', uri)).toEqual(REQUIRED);
    expect((await ask(await grant(60), 'POST', '/user_management/redirect_uris', uri))[0]).toBe(201);
  });

  test('counts a proof until its end, and not from then on', async () => {
    const value = await grant(FIVE_MINUTES);
    await advance(FIVE_MINUTES - 2);
    expect((await ask(value, 'POST', '/webhook_endpoints', ENDPOINT))[0]).toBe(201);
    await advance(2);
    expect(await ask(value, 'POST', '/webhook_endpoints', ENDPOINT)).toEqual(REQUIRED);
  });

  test('asks for none before a dry run, and for none from an API key', async () => {
    const userId = await addUser('ada@acme.example');
    expect((await ask(await grant(-1), 'DELETE', `/user_management/users/${userId}`, undefined, true))[0]).not.toBe(
      403,
    );
    expect((await call('DELETE', `/user_management/users/${userId}`)).status).toBeLessThan(300);
  });
});

describe('the console', () => {
  let ada: EnrolledOperator;
  let person: Browser;
  let path: string;
  let factors: string;

  beforeEach(async () => {
    ada = await enrolOperator('ada@gatehouse.example', 'owner');
    person = browser();
    await signInOperator(person, ada);
    const userId = await addUser('caller@acme.example');
    factors = `/user_management/users/${userId}/auth_factors`;
    const { body } = await call<{ authentication_factor: { id: string } }>('POST', factors, {
      type: 'totp',
      totp_issuer: 'Acme',
      totp_user: 'caller',
    });
    path = await consolePath(`users/${userId}/factors/${body.authentication_factor.id}`);
  });

  const isThere = async (): Promise<boolean> =>
    (await call<{ data: unknown[] }>('GET', factors)).body.data.length === 1;

  /** Sends the form that resets the factor, later than five minutes after the sign-in. @returns the first hosted page */
  async function sendLate(by: Browser = person): Promise<Page> {
    const page = await openPath(by, path);
    await advance(FIVE_MINUTES + 1);
    return by.submit(page, { reason: REASON }, 'value="reset-factor"');
  }

  const findForm = ({ text }: Page): string => /<details class="act"[\s\S]*?<\/details>/.exec(text)?.[0] ?? '';

  test('does an act of the first five minutes without a further proof', async () => {
    const done = await person.submit(await openPath(person, path), { reason: REASON }, 'value="reset-factor"');
    expect(done.url).toContain('done=reset-factor');
    expect(await isThere()).toBe(false);
  });

  test('opens no session as a user by an old sign-in, but asks for a new one, after which the form does', async () => {
    await registerRedirectUri();
    await allow();
    const userId = await addUser('bob@acme.example');
    const page = await openPath(person, await consolePath(`users/${userId}/impersonate`));
    await advance(FIVE_MINUTES + 1);
    const first = await person.submit(page, { reason: REASON }, 'value="impersonate"');
    expect(first.url).toContain('/hosted/sign-in');
    expect(first.text).not.toContain('code=');
    const back = await completeSignIn(person, first, ada);
    expect(findForm(back)).toContain(REASON);
    const opened = await person.submit(back, {}, 'value="impersonate"');
    expect([opened.status, opened.text]).toEqual([200, expect.stringContaining('code=')]);
  });

  test('sends the browser to the hosted pages, and comes back to the filled form, which then counts', async () => {
    const first = await sendLate();
    expect(first.url).toContain('/hosted/sign-in');
    expect(first.text).toContain('ada@gatehouse.example');
    expect(await isThere()).toBe(true);
    const back = await completeSignIn(person, first, ada);
    expect([back.status, new URL(back.url).pathname]).toEqual([200, path]);
    expect(readText(back)).toContain('You have proved who you are');
    expect(findForm(back)).toMatch(/<details class="act"\s+open/);
    expect(findForm(back)).toContain(REASON);
    expect(await isThere()).toBe(true);
    const done = await person.submit(back, {}, 'value="reset-factor"');
    expect(done.url).toContain('done=reset-factor');
    expect(await isThere()).toBe(false);
  });

  test('keeps the values of the form out of every address, and away from other browsers, pages and operators', async () => {
    const first = await sendLate();
    expect(decodeURIComponent(first.url)).not.toContain('5822');
    const factor = await enterPassword(person, first, ada.email);
    const back = await person.open(await stopAtResponse(person, factor, ada));
    expect(decodeURIComponent(back.url)).not.toContain('5822');
    const other = browser();
    await signInOperator(other, ada);
    expect(findForm(await other.open(back.url))).not.toContain(REASON);
    const elsewhere = await person.open(back.url.replace(/\/factors\/[^?]+/, ''));
    expect(elsewhere.text).not.toContain(REASON);
    await advance(601);
    expect(findForm(await person.open(back.url))).not.toContain(REASON);
  });

  test('does not accept the proof of another operator', async () => {
    const eve = await enrolOperator('eve@gatehouse.example', 'support');
    const after = await completeSignIn(person, await sendLate(), eve);
    expect([after.status, after.headers.get('x-error-code')]).toEqual([403, 'console_operator_required']);
    expect(readText(await openPath(person, '/console'))).toContain('ada@gatehouse.example');
    expect(
      (await person.submit(await openPath(person, path), { reason: REASON }, 'value="reset-factor"')).url,
    ).toContain('/hosted/sign-in');
  });

  test('asks again after a proof that is older than five minutes when it arrives', async () => {
    const factor = await enterPassword(person, await sendLate(), ada.email);
    const response = await stopAtResponse(person, factor, ada);
    await advance(FIVE_MINUTES + 1);
    const back = await person.open(response);
    expect(back.status).toBe(200);
    const again = await person.submit(back, { reason: REASON }, 'value="reset-factor"');
    expect(again.url).toContain('/hosted/sign-in');
    expect(await isThere()).toBe(true);
  });

  test('accepts the response to a proof once', async () => {
    const factor = await enterPassword(person, await sendLate(), ada.email);
    const response = await stopAtResponse(person, factor, ada);
    expect((await person.open(response)).status).toBe(200);
    await advance(FIVE_MINUTES + 1);
    const replayed = await person.open(response);
    expect([replayed.status, replayed.headers.get('x-error-code')]).toEqual([400, 'console_sign_in_rejected']);
    const again = await person.submit(await openPath(person, path), { reason: REASON }, 'value="reset-factor"');
    expect(again.url).toContain('/hosted/sign-in');
  });

  test('counts a link as a proof for five minutes, and then says how to give another', async () => {
    await openLink(ada.email, undefined, ada.person);
    const page = await openPath(ada.person, path);
    await advance(FIVE_MINUTES + 1);
    const after = await ada.person.submit(page, { reason: REASON }, 'value="reset-factor"');
    expect([after.status, readText(after)]).toEqual([422, expect.stringContaining('open a new link')]);
    await openConsole(ada.person);
    const done = await ada.person.submit(await openPath(ada.person, path), { reason: REASON }, 'value="reset-factor"');
    expect(done.url).toContain('done=reset-factor');
    expect(await isThere()).toBe(false);
  });
});
