import { beforeEach, describe, expect, test } from '@jest/globals';

import { fromBase32 } from '../../../functions/proofs/mfa/totp/codes.ts';
import { rowsIn } from '../../kernel/notes/table.ts';
import { call, messages, reset, sdk } from '../../support/service.ts';
import { addUser, environment } from '../../support/users.ts';
import { challenge, readCode, enrol, enrolApp, type Factor, PHONE, verify } from './factor.ts';

interface Listed {
  data: Factor[];
  list_metadata: { before: string | null; after: string | null };
}

const readFactors = async (userId: string, query = ''): Promise<Listed> =>
  (await call<Listed>('GET', `/user_management/users/${userId}/auth_factors${query}`)).body;

const enrolFor = (userId: string, body: object) =>
  call<{ authentication_factor: Factor; authentication_challenge: { id: string }; code: string; message: string }>(
    'POST',
    `/user_management/users/${userId}/auth_factors`,
    { type: 'totp', ...body },
  );

beforeEach(() => reset());

describe('an authenticator app', () => {
  test('returns its secret as text, otpauth URI and QR code only in the response that enrolls it', async () => {
    const userId = await addUser();
    const factor = await enrolApp(userId);
    const { secret = '', qr_code: picture = '', uri = '' } = factor.totp ?? {};
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(picture).toMatch(/^data:image\/png;base64,/);
    const { id } = await challenge(factor.id);
    const later = await Promise.all([
      call('GET', `/auth/factors/${factor.id}`),
      call('GET', `/user_management/users/${userId}/auth_factors`),
      call('POST', `/auth/challenges/${id}/verify`, { code: await readCode(factor) }),
    ]);
    for (const { status, body } of later) {
      expect(status).toBeLessThan(300);
      for (const text of [secret, 'otpauth', 'data:image']) expect(JSON.stringify(body)).not.toContain(text);
    }
    expect(later[0].body).toMatchObject({ totp: { issuer: 'Acme', user: 'ada@example.com' }, user_id: userId });
  });

  test('of a user is labelled with the environment and the user’s email, and is challenged at enrolment', async () => {
    const userId = await addUser('grace@example.com');
    const { status, body } = await enrolFor(userId, {});
    expect(status).toBe(201);
    expect(body.authentication_factor).toMatchObject({ user_id: userId, totp: { user: 'grace@example.com' } });
    expect(body.authentication_factor.totp?.issuer).not.toBe('');
    const code = await readCode(body.authentication_factor);
    expect(await verify(body.authentication_challenge.id, code)).toBe('valid');
  });

  test('accepts an imported secret in any Base32 spelling, of at least 80 bits', async () => {
    const userId = await addUser();
    for (const secret of [
      'jbsw y3dp ehpk 3pxp',
      'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      'MFRGGZDFMZTWQ2LKNNWG23TPOA======',
    ]) {
      const { status, body } = await enrolFor(userId, { totp_secret: secret });
      expect(status).toBe(201);
      const kept = secret.replace(/[ =]/g, '').toUpperCase();
      expect(body.authentication_factor.totp?.secret).toBe(kept);
      expect(await verify(body.authentication_challenge.id, await readCode(body.authentication_factor))).toBe('valid');
    }
  });

  test.each(['', 'JBSWY3DPEHPK3PX', 'not base32!', '0189', 'A'.repeat(120), 'JBSWY3DPEHPK3PX='])(
    'rejects the imported secret %j and names the member',
    async (secret) => {
      const { status, body } = await enrolFor(await addUser(), { totp_secret: secret });
      expect(status).toBe(422);
      expect(body.message).toContain('totp_secret');
    },
  );

  test.each([
    [{ totp_issuer: 'Acme' }, 'totp_user'],
    [{ totp_issuer: 'Acme: test', totp_user: 'ada' }, 'totp_issuer'],
    [{ totp_issuer: 'Acme', totp_user: 'a:b' }, 'totp_user'],
    [{ totp_issuer: 'Acme\n', totp_user: 'a\u202eb' }, 'totp_user'],
    [{ totp_issuer: 'x'.repeat(65), totp_user: 'ada' }, 'totp_issuer'],
    [{ totp_issuer: '漢'.repeat(64), totp_user: 'ada' }, 'totp_issuer'],
    [{ totp_issuer: 'Acme', totp_user: 'ada', user_id: 'user_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'user_id'],
  ])('is rejected for %j, with an error that names %s', async (body, member) => {
    const response = await call('POST', '/auth/factors/enroll', { type: 'totp', ...body });
    expect(response).toMatchObject({ status: 422, body: { errors: [{ field: member }] } });
  });
});

describe('the stored data', () => {
  /** Every row of the environment that could hold a secret, as text and as bytes. */
  async function stored(): Promise<{ text: string; bytes: Buffer[] }> {
    const rows = await rowsIn(await environment());
    const values = rows.flatMap((row) => Object.values(row));
    const bytes = values.filter((value) => value instanceof Uint8Array).map((value) => Buffer.from(value));
    return { text: JSON.stringify(rows.map((row) => ({ ...row, sealed: null }))), bytes };
  }

  test('of secrets and sent codes is encrypted', async () => {
    const factor = await enrolApp(await addUser());
    const phoneFactor = await enrol({ type: 'sms', phone_number: PHONE });
    const generic = await enrol({ type: 'generic_otp' });
    const { code = '' } = await challenge(generic.id);
    await challenge(phoneFactor.id);
    const [sms] = await messages(PHONE);
    const secret = factor.totp?.secret ?? '';
    const seed = Buffer.from(fromBase32(secret) ?? []);
    const { text, bytes } = await stored();
    expect(text).toContain(factor.id);
    for (const form of [secret, seed.toString('base64'), seed.toString('hex')]) {
      expect(text).not.toContain(form);
    }
    expect(text).not.toMatch(new RegExp(`(?<![0-9])(${code}|${sms?.code})(?![0-9])`));
    expect(bytes.length).toBeGreaterThan(2);
    expect(bytes.some((held) => held.includes(seed) || held.includes(secret) || held.includes(code))).toBe(false);
  });
});

describe('a phone factor', () => {
  test('is stored in E.164 form', async () => {
    const factor = await enrol({ type: 'sms', phone_number: '+1 (500) 555-0006' });
    expect(factor.sms).toEqual({ phone_number: PHONE });
    expect((await call('GET', `/auth/factors/${factor.id}`)).body).toEqual(factor);
  });

  test.each([
    undefined,
    '',
    '5005550006',
    '+1',
    '+0123456789',
    '+1500555000600000',
    '+1500555000x',
    'tel:+15005550006',
  ])('is rejected for %j', async (number) => {
    const response = await call('POST', '/auth/factors/enroll', { type: 'sms', phone_number: number });
    expect(response).toMatchObject({ status: 422, body: { errors: [{ field: 'phone_number' }] } });
  });
});

describe('the factors of a user', () => {
  test('are listed without delay, in pages, in either order, without those of other users', async () => {
    const [userId, other] = await Promise.all([addUser('a@example.com'), addUser('b@example.com')]);
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) ids.push((await enrolApp(userId)).id);
    await enrolApp(other);
    await enrolApp();
    expect((await readFactors(userId)).data.map(({ id }) => id)).toEqual(ids.toReversed());
    const first = await readFactors(userId, '?limit=2&order=asc');
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await readFactors(userId, `?limit=2&order=asc&after=${first.list_metadata.after}`);
    expect(rest).toMatchObject({ data: [{ id: ids[2] }], list_metadata: { after: null } });
    expect((await call('GET', '/user_management/users/user_unknown/auth_factors')).status).toBe(404);
  });

  test('are limited to ten, also for parallel enrolments', async () => {
    const userId = await addUser();
    for (let at = 0; at < 8; at += 1) await enrolApp(userId);
    const responses = await Promise.all(Array.from({ length: 12 }, () => enrolFor(userId, {})));
    expect(responses.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(2);
    while ((await readFactors(userId)).data.length < 10) await enrolFor(userId, {});
    const rejected = { status: 422, body: { code: 'authentication_factor_limit_reached' } };
    expect(await enrolFor(userId, {})).toMatchObject(rejected);
    const factor = { type: 'totp', totp_issuer: 'Acme', totp_user: 'ada@example.com', user_id: userId };
    expect(await call('POST', '/auth/factors/enroll', factor)).toMatchObject(rejected);
    const { data } = await readFactors(userId, '?limit=100');
    expect(data).toHaveLength(10);
    expect((await call('DELETE', `/auth/factors/${data[0]?.id}`)).status).toBe(204);
    expect((await enrolFor(userId, {})).status).toBe(201);
  });
});

describe('a deleted factor', () => {
  test('is missing from its user’s list at once, and its challenge cannot be passed', async () => {
    const userId = await addUser();
    const factor = await enrolApp(userId);
    const { id } = await challenge(factor.id);
    expect((await call('DELETE', `/auth/factors/${factor.id}`)).status).toBe(204);
    expect((await readFactors(userId)).data).toEqual([]);
    expect(await verify(id, await readCode(factor))).toBe('404 not_found');
    expect((await call('POST', `/auth/factors/${factor.id}/challenge`, {})).status).toBe(404);
    expect((await call('DELETE', `/auth/factors/${factor.id}`)).status).toBe(404);
  });
});

test('the SDK enrolls, lists, challenges, verifies and deletes', async () => {
  const userId = await addUser();
  const { multiFactorAuth: mfa } = sdk();
  const enrolled = await mfa.createUserAuthFactor({ userId, type: 'totp', totpIssuer: 'Acme' });
  const code = await readCode(enrolled.authenticationFactor as unknown as Factor);
  const first = { authenticationChallengeId: enrolled.authenticationChallenge.id, code };
  expect(await mfa.verifyChallenge(first)).toMatchObject({ valid: true });
  const factor = await mfa.enrollFactor({ type: 'sms', phoneNumber: PHONE });
  expect(await mfa.getFactor(factor.id)).toMatchObject({ sms: { phoneNumber: PHONE } });
  const made = await mfa.challengeFactor({ authenticationFactorId: factor.id, smsTemplate: 'Acme: {{code}}' });
  expect(made).toMatchObject({ authenticationFactorId: factor.id, code: undefined });
  const { data } = await mfa.listUserAuthFactors({ userId });
  expect(data.map(({ id }) => id)).toEqual([enrolled.authenticationFactor.id]);
  await mfa.deleteFactor(factor.id);
  await expect(mfa.getFactor(factor.id)).rejects.toThrow();
});
