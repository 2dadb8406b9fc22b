import { beforeEach, describe, expect, test } from '@jest/globals';

import {
  type Authenticator,
  authenticator,
  type CeremonyOptions,
  type Deviations,
} from '../../support/authenticator.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, eventually, idle, messages, now, service } from '../../support/service.ts';
import { authorizeUrl, exchange, isAtApplication, makeUser, newPerson, PASSWORD, totp } from './application.ts';

const EMAIL = 'ada@example.com';
const SETTINGS = { methods: { passkey: true } };

let person: Browser;
let origin: string;

beforeEach(async () => {
  person = await newPerson();
  origin = (await service()).url;
  await call('PUT', '/x/authentication/settings', SETTINGS);
});

/** The options in a page's form for passkeys. */
function readOptions({ text }: Page): CeremonyOptions {
  const found = /data-options="([^"]+)"/.exec(text)?.[1];
  if (found === undefined) throw new Error(`The page has no form for passkeys: ${text.slice(0, 300)}`);
  return JSON.parse(
    found.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  ) as CeremonyOptions;
}

const open = async (by = person, more: Record<string, string> = {}): Promise<Page> =>
  by.open(await authorizeUrl({ prompt: 'login', ...more }));

const send = (page: Page, credential: string, by = person): Promise<Page> =>
  by.submit(page, { credential }, 'data-passkey');

/** Signs in with the password. */
async function signInByPassword(by = person, email = EMAIL): Promise<Page> {
  return by.submit(await by.submit(await open(by), { email }), { password: PASSWORD });
}

/** Creates a passkey at the offer after a sign-in. */
async function enroll(own: Authenticator, email = EMAIL): Promise<Page> {
  const by = browser();
  const page = await signInByPassword(by, email);
  return send(page, own.create(readOptions(page)), by);
}

const signIn = async (own: Authenticator, deviations: Deviations = {}, by = person): Promise<Page> => {
  const page = await open(by);
  return send(page, own.get(readOptions(page), deviations), by);
};

async function listEvents(name: string): Promise<{ data: Record<string, unknown> }[]> {
  await idle();
  const { body } = await call<{ data: { data: Record<string, unknown> }[] }>('GET', `/events?events=${name}`);
  return body.data;
}

describe('a passkey that is offered after a sign-in', () => {
  test('is created with a mail to its owner, and is sufficient for the next sign-in', async () => {
    const id = await makeUser(EMAIL);
    const own = authenticator(origin);
    expect(isAtApplication(await enroll(own))).toBe(true);
    const mail = await eventually(
      () => messages(EMAIL),
      (sent) => sent.length > 0,
    );
    expect(mail[0]?.subject).toContain('A passkey was added');
    const signedIn = await exchange((await signIn(own)).url);
    expect([signedIn.user.id, signedIn.authentication_method]).toEqual([id, 'Passkey']);
    const { body } = await call<{ data: object[] }>('GET', `/x/passkeys?user_id=${id}`);
    expect(body.data).toMatchObject([{ name: 'Passkey', verifies_user: true, usable: true, sign_count: 1 }]);
    const [event] = await listEvents('authentication.passkey_succeeded');
    expect(event?.data).toMatchObject({ type: 'passkey', status: 'succeeded', user_id: id, email: EMAIL });
  });

  test('can be declined, and is offered again after 30 days, but never after the third time', async () => {
    await makeUser(EMAIL);
    for (let times = 0; times < 3; times += 1) {
      const offer = await signInByPassword();
      expect(offer.url).toContain('/hosted/passkey');
      expect(isAtApplication(await person.submit(offer, { do: 'later' }, 'value="later"'))).toBe(true);
      expect(isAtApplication(await signInByPassword())).toBe(true);
      await advance(31 * 86_400);
    }
    expect(isAtApplication(await signInByPassword())).toBe(true);
  });

  test('leads from the address of its form back to the first page of the sign-in', async () => {
    const start = await open();
    const back = await person.open(start.url.replace('/sign-in?', '/sign-in/passkey?'));
    expect([back.status, new URL(back.url).pathname]).toEqual([200, '/hosted/sign-in']);
  });

  test('is skipped by a browser without JavaScript, and not offered if the settings do not allow it', async () => {
    await makeUser(EMAIL);
    const offer = await signInByPassword();
    const skip = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(offer.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(isAtApplication(await person.open(`${origin}${skip}`))).toBe(true);
    await call('PUT', '/x/authentication/settings', { ...SETTINGS, passkey_enrollment: false });
    expect(isAtApplication(await signInByPassword())).toBe(true);
  });

  test.each<[string, Deviations & { attestationObject?: Uint8Array }]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another RP id', { rpId: 'evil.example' }],
    ['another type', { type: 'webauthn.get' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['no present user', { isPresent: false }],
    ['an attestation that is no CBOR', { attestationObject: new Uint8Array([0xff, 0xff]) }],
    ['an attestation of endless arrays', { attestationObject: new Uint8Array(8_000).fill(0x81) }],
    ['an attestation that ends too early', { attestationObject: new Uint8Array([0xa3, 0x63, 0x66]) }],
  ])('is not created by a response with %s', async (_, deviations) => {
    const id = await makeUser(EMAIL);
    const page = await signInByPassword();
    const rejected = await send(page, authenticator(origin).create(readOptions(page), deviations));
    expect([rejected.status, isAtApplication(rejected)]).toEqual([422, false]);
    expect((await call<{ data: object[] }>('GET', `/x/passkeys?user_id=${id}`)).body.data).toEqual([]);
  });
});

describe('signing in with a passkey', () => {
  let own: Authenticator;
  let id: string;

  beforeEach(async () => {
    id = await makeUser(EMAIL);
    own = authenticator(origin);
    await enroll(own);
  });

  test.each<[string, Deviations]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another RP id', { rpId: 'evil.example' }],
    ['the type of an enrolment', { type: 'webauthn.create' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['no verified user', { isVerified: false }],
    ['no present user', { isPresent: false }],
    ['the handle of another user', { userHandle: 'AAAA' }],
    ['a changed signature', { change: ({ signature }) => signature.writeUInt8(signature.readUInt8(20) ^ 1, 20) }],
    ['a signature of zeros', { change: ({ signature }) => signature.fill(0) }],
    [
      'authenticator data changed after signing',
      { change: ({ authenticatorData: data }) => data.writeUInt8(0x1d, 32) },
    ],
    ['client data changed after signing', { change: ({ clientData }) => clientData.write(' ', clientData.length - 1) }],
  ])('is rejected with %s', async (_, deviations) => {
    const rejected = await signIn(own, deviations);
    expect([rejected.status, isAtApplication(rejected)]).toEqual([422, false]);
    expect(isAtApplication(await signIn(own))).toBe(true);
  });

  test.each([
    ['an empty text', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a number as id', '{"id":1}'],
    ['broken JSON', '{'],
    ['a very long id', `{"id":"${'A'.repeat(9_000)}"}`],
    ['another prototype', '{"__proto__":{}}'],
  ])('is rejected with %s instead of a response', async (_, credential) => {
    const rejected = await send(await open(), credential);
    expect(rejected.status).toBe(422);
  });

  test('rejects a response that is sent again, also in another sign-in', async () => {
    const page = await open();
    const credential = own.get(readOptions(page));
    const other = await open();
    expect(isAtApplication(await send(page, credential))).toBe(true);
    const rejected = await send(other, credential);
    expect([rejected.status, rejected.text.includes('took too long')]).toEqual([422, true]);
  });

  test('rejects a challenge of another browser, and one after ten minutes', async () => {
    const foreign = await open(browser());
    expect((await send(await open(), own.get(readOptions(foreign)))).status).toBe(422);
    const page = await open();
    await advance(601);
    expect((await send(page, own.get(readOptions(page)))).status).toBe(422);
  });

  test('invalidates a challenge after a wrong response', async () => {
    const page = await open();
    const options = readOptions(page);
    expect((await send(page, own.get(options, { isVerified: false }))).status).toBe(422);
    expect((await send(page, own.get(options))).status).toBe(422);
  });

  test('accepts one of several parallel uses of a response', async () => {
    const page = await open();
    const credential = own.get(readOptions(page));
    const fields = new URLSearchParams({
      proof: /name="proof" value="([^"]+)"/.exec(page.text)?.[1] ?? '',
      credential,
    });
    const target = page.url.replace('/sign-in?', '/sign-in/passkey?');
    const sent = await Promise.all(
      Array.from({ length: 4 }, () =>
        person.request(target, { method: 'POST', body: fields, headers: { origin, 'sec-fetch-site': 'same-origin' } }),
      ),
    );
    const codes = sent.map(({ headers }) => headers.get('location')).filter((location) => location?.includes('code='));
    expect(new Set(codes).size).toBe(1);
  });

  test('rejects a counter that goes backwards, and reports it', async () => {
    await signIn(own, { counter: 9 });
    const rejected = await signIn(own, { counter: 9 });
    expect(rejected.status).toBe(422);
    const [event] = await listEvents('authentication.passkey_failed');
    expect(event?.data).toMatchObject({ email: EMAIL, error: { code: 'passkey_counter_went_back' } });
    const { body } = await call<{ data: { counter_went_back_at: unknown }[] }>('GET', `/x/passkeys?user_id=${id}`);
    expect(body.data[0]?.counter_went_back_at).toEqual(expect.any(String));
    expect(isAtApplication(await signIn(own, { counter: 10 }))).toBe(true);
  });

  test('reports a deleted passkey to the browser as unknown, and emits an event without a user', async () => {
    const listed = await call<{ data: { id: string }[] }>('GET', `/x/passkeys?user_id=${id}`);
    await call('DELETE', `/x/passkeys/${listed.body.data[0]?.id ?? ''}`);
    const rejected = await signIn(own);
    expect([rejected.status, rejected.text.includes('another service on this domain')]).toEqual([422, true]);
    const [event] = await listEvents('authentication.passkey_failed');
    expect(event?.data).toMatchObject({ user_id: null, email: null, error: { code: 'passkey_unknown' } });
  });

  test('rejects the passkey of a deleted user', async () => {
    await call('DELETE', `/user_management/users/${id}`);
    expect((await signIn(own)).status).toBe(422);
  });

  test('is not possible once the environment disables passkeys', async () => {
    const page = await open();
    await call('PUT', '/x/authentication/settings', {});
    const reply = await send(page, own.get(readOptions(page)));
    expect(isAtApplication(reply)).toBe(false);
    expect(reply.text).not.toContain('data-passkey');
  });

  test('offers the same challenge again after a wrong email address', async () => {
    const page = await open();
    const again = await person.submit(page, { email: 'no address' });
    expect(readOptions(again).challenge).toBe(readOptions(page).challenge);
    expect(isAtApplication(await send(again, own.get(readOptions(again))))).toBe(true);
  });
});

describe('a passkey as second factor', () => {
  test('is required of its owner if the environment requires one, and no weaker factor can be enrolled instead', async () => {
    await makeUser(EMAIL);
    const own = authenticator(origin);
    await enroll(own);
    await call('PUT', '/x/authentication/settings', { ...SETTINGS, mfa: 'required' });
    const asked = await signInByPassword();
    expect(asked.url).toContain('/hosted/mfa/passkey');
    const enrolment = await person.open(asked.url.replace('/mfa/passkey', '/mfa/enroll'));
    expect(enrolment.text).not.toContain('class="qr"');
    const other = authenticator(origin);
    expect((await send(asked, other.get(readOptions(asked)))).status).toBe(422);
    const again = await person.open(asked.url);
    const done = await send(again, own.get(readOptions(again), { isVerified: false }));
    expect((await exchange(done.url)).authentication_method).toBe('Password');
  });

  test('of a security key without PIN or fingerprint is requested after the password, and cannot be a first factor', async () => {
    await makeUser(EMAIL);
    const key = authenticator(origin, { verifies: false });
    await enroll(key);
    const rejected = await signIn(key);
    expect([rejected.status, rejected.text.includes('second step')]).toEqual([422, true]);
    const asked = await signInByPassword();
    expect(asked.url).toContain('/hosted/mfa/passkey');
    expect(isAtApplication(await send(asked, key.get(readOptions(asked))))).toBe(true);
  });

  test('can be used instead of the code of an app', async () => {
    const id = await makeUser(EMAIL);
    const own = authenticator(origin);
    await enroll(own);
    interface Enrolled {
      authentication_factor: { totp: { secret: string } };
      authentication_challenge: { id: string };
    }
    const { body } = await call<Enrolled>('POST', `/user_management/users/${id}/auth_factors`, { type: 'totp' });
    const code = await totp(body.authentication_factor.totp.secret, await now());
    await call('POST', `/auth/challenges/${body.authentication_challenge.id}/verify`, { code });
    const asked = await signInByPassword();
    expect(asked.url).toContain('/hosted/mfa?');
    expect(asked.text).toContain('data-passkey-link');
    const page = await person.open(asked.url.replace('/hosted/mfa?', '/hosted/mfa/passkey?'));
    expect(isAtApplication(await send(page, own.get(readOptions(page))))).toBe(true);
  });

  test('makes the password grant of a back end respond that another sign-in method is required', async () => {
    await makeUser(EMAIL);
    await enroll(authenticator(origin));
    await call('PUT', '/x/authentication/settings', { ...SETTINGS, mfa: 'required' });
    const { clientId, apiKey } = await service();
    const body = {
      client_id: clientId,
      client_secret: apiKey,
      grant_type: 'password',
      email: EMAIL,
      password: PASSWORD,
    };
    const rejected = await call<{ code: string }>('POST', '/user_management/authenticate', body, { apiKey: null });
    expect([rejected.status, rejected.body.code]).toEqual([403, 'authentication_method_not_allowed']);
  });
});
