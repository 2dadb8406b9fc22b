import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser } from '../../support/browser.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import { addMembership, addSession } from '../../support/users.ts';
import { samlConnection } from '../sso/support.ts';
import { addOrganization, addPerson } from '../trust/tenants.ts';
import {
  application,
  authorizeUrl,
  readClaims,
  decide,
  exchange,
  isConsent,
  newVerifier,
  received,
  refresh,
  user,
} from './person.ts';

const LOGIN = 'https://shop.example.net/login';
const ADA = { id: 'shop-1', email: 'ada@example.com', first_name: 'Ada' };

interface Completed {
  redirect_uri: string;
  code?: string;
}

/** Begins an authorization in a browser, which is redirected to the environment's own application. */
async function begin(person: Browser = browser()) {
  const app = await application();
  const verifier = newVerifier();
  const sent = await person.open(await authorizeUrl(app, verifier));
  expect(sent.url.startsWith(`${LOGIN}?`)).toBe(true);
  return { app, verifier, person, id: received(sent).external_auth_id ?? '' };
}

const complete = (id: string, member: object = ADA, more: object = {}) =>
  call<Completed>('POST', '/hosted/oauth2/complete', { external_auth_id: id, user: member, ...more });

beforeEach(async () => {
  await reset({ calm: true });
  expect((await call('PUT', '/x/connect/settings', { login_uri: LOGIN })).status).toBe(200);
});

describe('a sign-in at the environment’s own application (login_uri)', () => {
  test('creates the user, returns to the consent page and returns a code to the application', async () => {
    const { app, verifier, person, id } = await begin();
    const { status, body } = await complete(id);
    expect([status, Object.keys(body)]).toEqual([200, ['redirect_uri']]);
    const consent = await person.open(body.redirect_uri);
    expect(isConsent(consent)).toBe(true);
    expect(consent.text).toContain(ADA.email);
    const { code } = received(await decide(person, consent, 'approve'));
    const { body: tokens } = await exchange(app, code, verifier);
    const found = (
      await call<{ id: string; email_verified: boolean }>('GET', '/user_management/users/external_id/shop-1')
    ).body;
    expect(found.email_verified).toBe(true);
    expect(readClaims(tokens.access_token).sub).toBe(found.id);
  });

  test('can return once, only in the browser that began it, and with the secret in the response', async () => {
    const attacker = await begin();
    const victim = browser();
    const { body } = await complete(attacker.id);
    const elsewhere = await victim.open(body.redirect_uri);
    expect([isConsent(elsewhere), elsewhere.text.includes('expired')]).toEqual([false, true]);
    const guessed = new URL(body.redirect_uri);
    guessed.searchParams.set('returned', 'x'.repeat(43));
    expect(isConsent(await attacker.person.open(guessed.href))).toBe(false);
    guessed.searchParams.delete('returned');
    expect((await attacker.person.open(guessed.href)).url.startsWith(LOGIN)).toBe(true);
  });

  test('can be completed once, within 15 minutes, with an API key of its environment', async () => {
    const { id } = await begin();
    expect((await call('POST', '/hosted/oauth2/complete', {}, { apiKey: null })).status).toBe(401);
    expect((await complete(`${id}x`)).status).toBe(404);
    expect((await complete(id)).status).toBe(200);
    expect(await complete(id)).toMatchObject({
      status: 400,
      body: { code: 'external_auth_session_already_completed' },
    });
    const later = await begin();
    await advance(901);
    expect((await complete(later.id)).status).toBe(404);
  });

  test('is rejected for an invalid address, an address of another user, and an address that must not change', async () => {
    await user('eve@example.com');
    const { id } = await begin();
    const wrong = [
      await complete(id, { ...ADA, email: 'eve@example.com' }),
      await complete(id, { ...ADA, email: 'nonsense' }),
    ];
    expect(wrong.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'email_not_available'],
      [400, 'invalid_email'],
    ]);
    expect((await complete(id)).status).toBe(200);
    await call('PUT', '/x/user-management/settings', { email_change: false });
    const second = await begin();
    const moved = { ...ADA, email: 'ada@example.net' };
    expect((await complete(second.id, moved)).body.code).toBe('email_change_not_allowed');
    await call('PUT', '/x/user-management/settings', { email_change: true });
    expect((await complete(second.id, moved)).status).toBe(200);
  });

  test('revokes all sessions of a user whose address it changes', async () => {
    const { id: userId } = (
      await call<{ id: string }>('POST', '/user_management/users', {
        email: ADA.email,
        email_verified: true,
        external_id: ADA.id,
      })
    ).body;
    await addSession(userId);
    const { id } = await begin();
    expect((await complete(id, { ...ADA, email: 'ada@example.net' })).status).toBe(200);
    await idle();
    const { body } = await call<{ data: { data: object }[] }>('GET', '/events?events=session.revoked');
    expect(body.data).toMatchObject([{ data: { user_id: userId, status: 'revoked' } }]);
  });

  test('does not replace the single sign-on that the domain of the address requires', async () => {
    const organizationId = await addOrganization('Company', 'example.com');
    await addMembership(await addPerson(ADA.email, { external_id: ADA.id }), organizationId);
    const { id } = await samlConnection(organizationId);
    const { person, id: session } = await begin();
    const page = await person.open((await complete(session)).body.redirect_uri);
    expect([isConsent(page), page.text.includes(id)]).toEqual([false, true]);
  });

  test('does not replace the single sign-on that the organization of the user requires', async () => {
    const organizationId = await addOrganization('Company');
    await addMembership(await addPerson(ADA.email, { external_id: ADA.id }), organizationId);
    const { id } = await samlConnection(organizationId);
    await call('PUT', `/x/organizations/${organizationId}/sso_policy`, { required: true });
    const { person, id: session } = await begin();
    const page = await person.open((await complete(session)).body.redirect_uri);
    expect([isConsent(page), page.text.includes(id)]).toEqual([false, true]);
  });

  test('may ask questions on the consent page, whose answers are claims of the access token, also after a refresh', async () => {
    const { app, verifier, person, id } = await begin();
    const choices = [{ value: 'emea', label: 'Europe <b>' }, { label: 'apac' }];
    const options = {
      user_consent_options: [{ claim: 'https://shop/region', type: 'enum', label: 'Région', choices }],
    };
    const { body } = await complete(id, ADA, options);
    const consent = await person.open(body.redirect_uri);
    for (const text of ['Région', 'Europe &lt;b&gt;', 'value="apac"']) expect(consent.text).toContain(text);
    const foreign = await person.submit(consent, { do: 'approve', option_0: 'other' });
    expect(isConsent(foreign)).toBe(true);
    const { code } = received(await person.submit(foreign, { do: 'approve', option_0: 'apac' }));
    const { body: held } = await exchange(app, code, verifier);
    expect(readClaims(held.access_token)).toMatchObject({ 'https://shop/region': 'apac', client_id: app.clientId });
    const renewed = await refresh(app, held.refresh_token);
    expect(readClaims(renewed.body.access_token)['https://shop/region']).toBe('apac');
  });

  test('rejects questions for an application without a consent page, and those whose answers would state another claim', async () => {
    const ask = (claim: string, choices: object[] = [{ value: 'a' }]) => ({ claim, type: 'enum', label: 'A', choices });
    const { id } = await begin();
    for (const options of [
      [ask('sub')],
      [ask('scope')],
      [ask('org_id')],
      [ask('1x')],
      [ask('region'), ask('region')],
      [ask('region', [])],
      [ask('region', [{}])],
      [ask('region', [{ value: 'a' }, { label: 'a' }])],
      Array.from({ length: 11 }, (_, at) => ask(`claim${at}`)),
    ]) {
      expect((await complete(id, ADA, { user_consent_options: options })).status).toBe(422);
    }
    const own = await application({ is_first_party: true });
    const sent = await browser().open(await authorizeUrl(own, newVerifier()));
    const first = received(sent).external_auth_id ?? '';
    expect(await complete(first, ADA, { user_consent_options: [ask('region')] })).toMatchObject({
      status: 400,
      body: { code: 'user_consent_options_not_supported' },
    });
    expect((await complete(first)).status).toBe(200);
    expect((await complete(id, ADA, { user_consent_options: [ask('region')] })).status).toBe(200);
  });

  test('is not possible with prompt=none, which returns login_required', async () => {
    const page = await browser().open(await authorizeUrl(await application(), newVerifier(), { prompt: 'none' }));
    expect(received(page).error).toBe('login_required');
  });
});
