import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { call, reset, service } from '../../support/service.ts';
import {
  type App,
  application,
  authorize,
  authorizeUrl,
  decide,
  exchange,
  newVerifier,
  type Query,
  received,
  signIn,
  user,
} from './person.ts';

const EMAIL = 'ada@example.com';
const WITHOUT_CHALLENGE: Query = { code_challenge: undefined, code_challenge_method: undefined };
const INVALID = { status: 400, body: { error: 'invalid_grant' } };

beforeEach(async () => {
  await reset({ calm: true });
  await user(EMAIL);
});

describe('an application with a secret and `uses_pkce: false`', () => {
  const confidential = (more: object = {}): Promise<App> =>
    application({ is_first_party: true, uses_pkce: false, ...more }, { secret: true });
  const obtainCode = async (app: App, verifier: string, query: Query = {}) =>
    (await authorize(app, { email: EMAIL, verifier, query })).code;

  test('may omit the challenge, and then redeems the code with its secret, and never without', async () => {
    const app = await confidential();
    const code = await obtainCode(app, newVerifier(), WITHOUT_CHALLENGE);
    const without = await exchange({ ...app, secret: undefined }, code, undefined);
    expect(without).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect((await exchange(app, code, undefined)).status).toBe(200);
  });

  test('cannot redeem a code without a challenge by a verifier, nor one with a challenge without it (downgrade)', async () => {
    const app = await confidential();
    const verifier = newVerifier();
    const plain = await obtainCode(app, verifier, WITHOUT_CHALLENGE);
    expect(await exchange(app, plain, verifier)).toMatchObject(INVALID);
    const challenged = await obtainCode(app, verifier);
    expect(await exchange(app, challenged, undefined)).toMatchObject(INVALID);
    expect((await exchange(app, challenged, verifier)).status).toBe(200);
  });

  test('needs the challenge as soon as it has no secret, also for a code from before', async () => {
    const app = await confidential();
    const code = await obtainCode(app, newVerifier(), WITHOUT_CHALLENGE);
    const { body: secrets } = await call<{ id: string }[]>('GET', `/connect/applications/${app.id}/client_secrets`);
    for (const { id } of secrets) await call('DELETE', `/connect/client_secrets/${id}`);
    const open = { ...app, secret: undefined };
    expect(await exchange(open, code, undefined)).toMatchObject(INVALID);
    const asked = await browser().open(await authorizeUrl(open, newVerifier(), WITHOUT_CHALLENGE));
    expect(received(asked)).toMatchObject({ error: 'invalid_request' });
  });

  test('needs it with `uses_pkce: true`', async () => {
    const app = await confidential({ uses_pkce: true });
    const asked = await browser().open(await authorizeUrl(app, newVerifier(), WITHOUT_CHALLENGE));
    expect(received(asked)).toMatchObject({ error: 'invalid_request' });
  });
});

describe('a stolen code', () => {
  test('is worthless in another session of the same application, and at another application (code injection)', async () => {
    const [app, other] = [await application({}, { secret: true }), await application({}, { secret: true })];
    const [victim, attacker] = [newVerifier(), newVerifier()];
    const { code } = await authorize(app, { email: EMAIL, verifier: victim });
    expect(await exchange(app, code, attacker)).toMatchObject(INVALID);
    expect(await exchange(other, code, attacker)).toMatchObject(INVALID);
    expect(await exchange(other, code, victim)).toMatchObject(INVALID);
    expect((await exchange(app, code, victim)).status).toBe(200);
  });
});

describe('each response at the redirect URI', () => {
  test('names the issuer, so that an application of several servers sends no code to another one (mix-up)', async () => {
    const app = await application();
    const { url, clientId } = await service();
    const { body: metadata } = await call<{ issuer: string; authorization_response_iss_parameter_supported: boolean }>(
      'GET',
      `/.well-known/oauth-authorization-server/user_management/${clientId}`,
    );
    expect(metadata).toMatchObject({
      issuer: `${url}/user_management/${clientId}`,
      authorization_response_iss_parameter_supported: true,
    });
    const person = browser();
    const open = async (query: Query) => person.open(await authorizeUrl(app, newVerifier(), query));
    const denied = await decide(person, await signIn(person, await open({}), EMAIL), 'deny');
    const responses = {
      access_denied: denied,
      consent_required: await open({ prompt: 'none' }),
      code: await decide(person, await open({}), 'approve'),
      invalid_request: await open(WITHOUT_CHALLENGE),
    };
    for (const [what, page] of Object.entries(responses)) {
      const { iss, code, error = code === undefined ? undefined : 'code' } = received(page);
      expect([what, error, iss]).toEqual([what, what, metadata.issuer]);
    }
  });
});
