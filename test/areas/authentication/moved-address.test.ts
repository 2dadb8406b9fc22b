import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { advance, call, messages, reset, sdk } from '../../support/service.ts';
import { authorizeUrl, PASSWORD as OWN_PASSWORD } from '../pages/application.ts';
import { type ForgingProvider, forgingProvider } from '../social/forging-provider.ts';
import { configure, enter, identities, redeem, signIn } from '../social/sign-in.ts';
import {
  appCode,
  authenticate,
  codeFor,
  EMAIL,
  mailedCode,
  makeUser,
  PASSWORD,
  pendingToken,
  type Rejected,
  registerRedirectUri,
  settings,
  vendor,
} from './inside.ts';

const MOVED = 'ada@new.example.com';
const NEW_PASSWORD = 'another horse, another staple 8';

let google: ForgingProvider;

beforeEach(async () => {
  await reset();
  google = await forgingProvider();
  await registerRedirectUri();
  await configure(google.url);
  google.account = { sub: 'ada-at-google', email: EMAIL, email_verified: true };
});

interface Enrolled {
  authentication_factor: { totp: { secret: string } };
  authentication_challenge: { id: string };
}

const readFactors = async (id: string): Promise<unknown[]> =>
  (await call<{ data: unknown[] }>('GET', `/user_management/users/${id}/auth_factors`)).body.data;

async function enrol(id: string): Promise<void> {
  const { body } = await call<Enrolled>('POST', `/user_management/users/${id}/auth_factors`, { type: 'totp' });
  const code = await appCode(body.authentication_factor.totp.secret);
  const path = `/auth/challenges/${body.authentication_challenge.id}/verify`;
  expect((await call('POST', path, { code })).body).toMatchObject({ valid: true });
  // A time step is accepted once: the next code is for a later one.
  await advance(30);
}

const move = async (id: string, members: Record<string, unknown> = {}): Promise<void> => {
  const { status } = await call('PUT', `/user_management/users/${id}`, { email: MOVED, ...members });
  expect(status).toBe(200);
};

/** A user with a verified address, an app and an account at Google, whose address the application then changes. */
async function movedUser(): Promise<string> {
  const id = await makeUser();
  expect((await enter()).user.id).toBe(id);
  await enrol(id);
  await move(id);
  google.account = { sub: 'mailbox-at-google', email: MOVED, email_verified: true };
  return id;
}

type Granted = Awaited<ReturnType<typeof authenticate<Rejected & Record<string, unknown>>>>;

const withPassword = (members: Record<string, unknown> = {}): Promise<Granted> =>
  authenticate({ grant_type: 'password', email: MOVED, password: PASSWORD, ...members });

async function byMagicCode(): Promise<Granted> {
  const { code } = await sdk().userManagement.createMagicAuth({ email: MOVED });
  return authenticate({ grant_type: vendor('magic-auth:code'), email: MOVED, code });
}

async function invitation(): Promise<string> {
  const { body } = await call('POST', '/organizations', { name: 'Acme' });
  const invited = { email: MOVED, organization_id: body.id };
  return String((await call('POST', '/user_management/invitations', invited)).body.token);
}

async function resetToken(): Promise<string> {
  const { body } = await call('POST', '/user_management/password_reset', { email: MOVED });
  return String(body.password_reset_token);
}

/** The next step on the hosted pages: `mfa_challenge` for the page of a factor, otherwise the URL. */
const readStep = ({ url }: Page): { body: { code: string } } => {
  const { pathname } = new URL(url);
  return { body: { code: pathname === '/hosted/mfa' ? 'mfa_challenge' : pathname } };
};

const atHostedPages = async () => {
  const person = browser();
  const start = await person.open(await authorizeUrl());
  return { person, asked: await person.submit(start, { email: MOVED }) };
};

/** Methods of verifying the new address; each ends in a sign-in. */
const METHODS: Record<string, (id: string) => Promise<{ body: { code?: unknown } }>> = {
  'a mailed code': byMagicCode,
  'a mailed code on the hosted pages': async () => {
    const { person, asked } = await atHostedPages();
    const entry = await person.submit(asked, { do: 'code' });
    return readStep(await person.submit(entry, { code: await mailedCode(MOVED) }));
  },
  'the password and a verification code': async () => {
    const { body } = await withPassword();
    expect(body.code).toBe('email_verification_required');
    const token = body.pending_authentication_token;
    const code = await mailedCode(MOVED);
    return authenticate({ grant_type: vendor('email-verification:code'), pending_authentication_token: token, code });
  },
  'the password and a verification code on the hosted pages': async () => {
    const { person, asked } = await atHostedPages();
    const entry = await person.submit(asked, { password: PASSWORD });
    return readStep(await person.submit(entry, { code: await mailedCode(MOVED) }));
  },
  'a mailed code and an invitation': async () => {
    const { code } = await sdk().userManagement.createMagicAuth({ email: MOVED });
    const invitation_token = await invitation();
    return authenticate({ grant_type: vendor('magic-auth:code'), email: MOVED, code, invitation_token });
  },
  'a reset link': async () => {
    const response = { token: await resetToken(), new_password: NEW_PASSWORD };
    expect((await call('POST', '/user_management/password_reset/confirm', response)).status).toBe(200);
    return withPassword({ password: NEW_PASSWORD });
  },
  'a reset link on the hosted pages': async () => {
    await resetToken();
    const link = /https?:\/\/\S+reset-password\S+/.exec((await messages(MOVED))[0]?.text ?? '')?.[0] ?? '';
    const person = browser();
    await person.submit(await person.open(link), { password: NEW_PASSWORD });
    return withPassword({ password: NEW_PASSWORD });
  },
  'a provider that has verified it': async () => {
    const { url, result } = await signIn();
    return result.code === undefined ? readStep({ url } as Page) : redeem(result.code);
  },
  'a provider that tells no email, and a verification code': async () => {
    const identity = { provider: 'GitHubOAuth', issuer: 'https://github.com', subject: '4711' };
    const code = await codeFor(undefined, {}, { method: 'oauth', provider: 'GitHubOAuth', identity });
    const { body: unnamed } = await authenticate({ grant_type: 'authorization_code', code });
    const completion = { email_completion_token: unnamed.email_completion_token, email: MOVED };
    const { body: asked } = await authenticate({ grant_type: vendor('email-completion'), ...completion });
    const proof = { pending_authentication_token: asked.pending_authentication_token, code: await mailedCode(MOVED) };
    return authenticate({ grant_type: vendor('email-verification:code'), ...proof });
  },
  'the verification code that the application takes': async (id) => {
    await call('POST', `/user_management/users/${id}/email_verification/send`);
    const body = { code: await mailedCode(MOVED) };
    expect((await call('POST', `/user_management/users/${id}/email_verification/confirm`, body)).status).toBe(200);
    return withPassword();
  },
  'the word of the application': async (id) => {
    await move(id, { email_verified: true });
    return withPassword();
  },
  'a change of the address that is confirmed': async (id) => {
    const further = 'ada@further.example.com';
    await call('POST', `/user_management/users/${id}/email_change/send`, { new_email: further });
    const body = { code: await mailedCode(further) };
    expect((await call('POST', `/user_management/users/${id}/email_change/confirm`, body)).status).toBe(200);
    return withPassword({ email: further });
  },
};

describe('a user keeps the second factor after a change of a verified address, if the new one is verified by', () => {
  test.each(Object.entries(METHODS))('%s', async (_method, prove) => {
    const id = await movedUser();
    expect((await prove(id)).body.code).toBe('mfa_challenge');
    expect(await readFactors(id)).toHaveLength(1);
    expect(await identities(id)).toMatchObject([{ idp_id: 'ada-at-google' }]);
  });

  test.each(Object.entries(METHODS))('%s, if a second factor is mandatory', async (_method, prove) => {
    const id = await movedUser();
    await settings({ mfa: 'required' });
    expect((await prove(id)).body.code).toBe('mfa_challenge');
    expect(await readFactors(id)).toHaveLength(1);
  });
});

describe('an account whose address was verified once', () => {
  test('keeps its factor after a second change of the address before the first one is verified', async () => {
    const id = await movedUser();
    await move(id, { email: 'ada@between.example.com' });
    await move(id, { email: MOVED });
    expect((await byMagicCode()).body.code).toBe('mfa_challenge');
    expect(await readFactors(id)).toHaveLength(1);
  });

  test('keeps its factor if the environment does not require verified addresses', async () => {
    const id = await movedUser();
    await settings({ require_email_verification: false });
    expect((await withPassword()).body.code).toBe('mfa_challenge');
    expect((await byMagicCode()).body.code).toBe('mfa_challenge');
    expect(await readFactors(id)).toHaveLength(1);
  });

  test('keeps its accounts at providers, which still sign in after the new address is verified', async () => {
    const id = await makeUser();
    await enter();
    await move(id);
    expect((await byMagicCode()).status).toBe(200);
    expect(await identities(id)).toHaveLength(1);
    expect((await enter()).user).toMatchObject({ id, email: MOVED });
  });

  test('keeps the phone number that receives the codes for new devices after a change of the address', async () => {
    const id = await makeUser();
    await settings({ new_device: 'sms_challenge' });
    const phone = '+15005550006';
    const token = await pendingToken('radar_sign_up_challenge', { device_id: 'laptop' });
    const asked = { user_id: id, pending_authentication_token: token, phone_number: phone };
    const sent = await call<{ verification_id: string }>('POST', '/user_management/radar_challenges', asked);
    const members = { code: await mailedCode(phone), verification_id: sent.body.verification_id, phone_number: phone };
    const grant = { grant_type: vendor('radar-sms-challenge:code'), pending_authentication_token: token, ...members };
    expect(await authenticate(grant)).toMatchObject({ status: 200 });
    await move(id);
    expect((await byMagicCode()).body.code).toBe('radar_sms_sign_in_challenge');
  });

  test('includes an account that was imported with a verified address', async () => {
    const { body } = await call('POST', '/user_management/users', { email: EMAIL, email_verified: true });
    const id = String(body.id);
    await enrol(id);
    await move(id);
    expect((await byMagicCode()).body.code).toBe('mfa_challenge');
  });

  test('keeps its factor also if the application marked the address as verified', async () => {
    const { body } = await call('POST', '/user_management/users', { email: EMAIL });
    const id = String(body.id);
    await call('PUT', `/user_management/users/${id}`, { email_verified: true });
    await enrol(id);
    await move(id);
    expect((await byMagicCode()).body.code).toBe('mfa_challenge');
  });

  test('excludes an account whose address was changed before it was verified: its earlier credentials are removed', async () => {
    const id = await makeUser({ emailVerified: false });
    await enrol(id);
    await move(id);
    expect(await byMagicCode()).toMatchObject({ status: 200, body: { user: { id, email_verified: true } } });
    expect(await readFactors(id)).toEqual([]);
  });

  test('keeps its password after an unfinished sign-up with its new address', async () => {
    const person = browser();
    const first = await person.open(await authorizeUrl({ screen_hint: 'sign-up' }));
    const code = await person.submit(first, { email: EMAIL, password: OWN_PASSWORD });
    expect(new URL(code.url).pathname).toBe('/hosted/sign-up/code');
    const { data } = (await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${EMAIL}`)).body;
    const id = data[0]?.id ?? '';
    await call('PUT', `/user_management/users/${id}`, { email_verified: true });
    await move(id);
    const again = await person.open(code.url.replace('/code', ''));
    await person.submit(again, { email: MOVED, password: NEW_PASSWORD });
    expect((await withPassword({ password: NEW_PASSWORD })).body.code).toBe('invalid_credentials');
    expect((await withPassword({ password: OWN_PASSWORD })).body.code).toBe('email_verification_required');
  });
});
