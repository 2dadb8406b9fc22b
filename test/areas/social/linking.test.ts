import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, messages, reset } from '../../support/service.ts';
import { type ForgingProvider, forgingProvider } from './forging-provider.ts';
import {
  configure,
  enter,
  grant,
  type Granted,
  identities,
  makeUser,
  registerApplication,
  signIn,
  usersWith,
} from './sign-in.ts';

const VICTIM = 'victim@example.com';
const PASSWORD = 'of-the-one-who-came-first-9';

let google: ForgingProvider;
let microsoft: ForgingProvider;

beforeEach(async () => {
  await reset();
  [google, microsoft] = await Promise.all([forgingProvider(), forgingProvider()]);
  await registerApplication();
  await Promise.all([configure(google.url), configure(microsoft.url, 'MicrosoftOAuth')]);
  google.account = { sub: 'victim-at-google', email: VICTIM, email_verified: true };
  // An attacker can write any email into an account of their own tenant.
  microsoft.account = { sub: 'attacker-at-microsoft', email: VICTIM, email_verified: true };
});

const settings = (members: Record<string, unknown>) => call('PUT', '/x/authentication/settings', members);
const withPassword = (password = PASSWORD) => grant({ grant_type: 'password', email: VICTIM, password });
const refresh = ({ refresh_token }: Granted) => grant({ grant_type: 'refresh_token', refresh_token });

describe('an account at a provider whose email belongs to a user', () => {
  test('is linked if both the provider and the user have verified the email', async () => {
    const id = await makeUser(VICTIM, { email_verified: true, password: PASSWORD });
    expect((await enter()).user.id).toBe(id);
    expect(await identities(id)).toMatchObject([{ idp_id: 'victim-at-google' }]);
    expect((await withPassword()).status).toBe(200);
  });

  test('is linked in upper and lower case of the email', async () => {
    const id = await makeUser(VICTIM, { email_verified: true });
    google.account = { ...google.account, email: 'Victim@Example.COM' };
    expect((await enter()).user.id).toBe(id);
  });

  test('is not linked by an unverified email until a code verifies the address', async () => {
    const id = await makeUser(VICTIM, { email_verified: true });
    const { result, url } = await signIn({ provider: 'MicrosoftOAuth' });
    expect(result.code).toBeUndefined();
    expect(new URL(url).pathname).toMatch(/^\/hosted\//);
    expect(await identities(id)).toEqual([]);
    expect(await messages(VICTIM)).toHaveLength(1);
  });

  test('is not linked by an unverified email even if verification is not required (non-verifying provider)', async () => {
    for (const email_verified of [true, false]) {
      await reset();
      await registerApplication();
      await configure(microsoft.url, 'MicrosoftOAuth');
      await settings({ require_email_verification: false });
      const id = await makeUser(VICTIM, { email_verified, password: PASSWORD });
      const { result } = await signIn({ provider: 'MicrosoftOAuth' });
      expect(result.code).toBeUndefined();
      expect(await identities(id)).toEqual([]);
    }
  });

  test('of Microsoft is linked if its tenant owns the domain of the email', async () => {
    const id = await makeUser(VICTIM, { email_verified: true });
    microsoft.account = { ...microsoft.account, xms_edov: true };
    expect((await enter({ provider: 'MicrosoftOAuth' })).user.id).toBe(id);
  });
});

describe('an attacker who creates an account with another person’s email first', () => {
  test('loses their password when the owner signs in through a provider (classic-federated merge)', async () => {
    const id = await makeUser(VICTIM, { password: PASSWORD });
    expect((await enter()).user).toMatchObject({ id, email_verified: true });
    expect((await withPassword()).body.code).toBe('invalid_credentials');
  });

  test('loses their sessions (unexpired session)', async () => {
    await settings({ require_email_verification: false });
    const id = await makeUser(VICTIM, { password: PASSWORD });
    const attacker = (await withPassword()).body;
    expect((await refresh(attacker)).status).toBe(200);
    expect((await enter()).user.id).toBe(id);
    expect((await refresh(attacker)).status).toBe(400);
  });

  test('loses their own account at a provider (trojan identifier)', async () => {
    await settings({ require_email_verification: false });
    const attacker = await enter({ provider: 'MicrosoftOAuth' });
    expect(attacker.user).toMatchObject({ email: VICTIM, email_verified: false });
    expect((await enter()).user.id).toBe(attacker.user.id);
    expect(await identities(attacker.user.id)).toMatchObject([{ provider: 'GoogleOAuth' }]);
    expect((await refresh(attacker)).status).toBe(400);
    expect((await signIn({ provider: 'MicrosoftOAuth' })).result.code).toBeUndefined();
  });

  test('loses their own account at a provider, even if the provider verifies the owner’s email later', async () => {
    await settings({ require_email_verification: false });
    google.account = { ...google.account, email_verified: false };
    const first = await enter({ provider: 'MicrosoftOAuth' });
    google.account = { ...google.account, email_verified: true };
    expect((await enter()).user).toMatchObject({ id: first.user.id, email_verified: true });
    expect(await identities(first.user.id)).toMatchObject([{ provider: 'GoogleOAuth' }]);
  });

  test('loses a pending change of the address (unexpired email change)', async () => {
    const id = await makeUser(VICTIM, { password: PASSWORD });
    const path = `/user_management/users/${id}/email_change`;
    await call('POST', `${path}/send`, { new_email: 'attacker@example.com' });
    const [mail] = await messages('attacker@example.com');
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(code).toMatch(/^\d{6}$/);
    expect((await enter()).user.id).toBe(id);
    expect((await call('POST', `${path}/confirm`, { code })).status).toBeGreaterThanOrEqual(400);
    expect((await usersWith(VICTIM)).map((user) => user.id)).toEqual([id]);
  });

  test('cannot link another provider account with the email of a linked user afterwards', async () => {
    const { user } = await enter();
    const { result } = await signIn({ provider: 'MicrosoftOAuth' });
    expect(result.code).toBeUndefined();
    expect(await identities(user.id)).toHaveLength(1);
  });
});

test('accounts that were linked with a former address stay linked and count towards the maximum of ten', async () => {
  const id = await makeUser('former@example.com', { email_verified: true });
  for (let at = 0; at < 9; at += 1) {
    google.account = { sub: `former-${at}`, email: 'former@example.com', email_verified: true };
    expect((await signIn()).result.code).toBeDefined();
  }
  expect((await call('PUT', `/user_management/users/${id}`, { email: VICTIM })).status).toBe(200);
  google.account = { sub: 'tenth', email: VICTIM, email_verified: true };
  expect((await enter()).user).toMatchObject({ id, email_verified: true });
  expect(await identities(id)).toHaveLength(10);
  google.account = { sub: 'eleventh', email: VICTIM, email_verified: true };
  expect((await signIn()).result.code).toBeUndefined();
  expect(await identities(id)).toHaveLength(10);
});

test('an account whose email has changed does not verify the address of its user', async () => {
  await settings({ require_email_verification: false });
  google.account = { ...google.account, email_verified: false };
  const { user } = await enter();
  google.account = { ...google.account, email: 'another@example.com', email_verified: true };
  expect((await enter()).user).toMatchObject({ id: user.id, email: VICTIM, email_verified: false });
});

test('the same subject at different issuers of one provider is two accounts', async () => {
  const { user } = await enter();
  const other = await forgingProvider();
  other.account = { sub: 'victim-at-google', email: 'other@example.com', email_verified: true };
  await configure(other.url);
  expect((await enter()).user.id).not.toBe(user.id);
});
