import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, clearFaults, messages, reset } from '../../support/service.ts';
import { challenge, readCode, enrol, enrolApp, type Factor, PHONE, verify } from '../mfa/factor.ts';
import {
  authenticate,
  EMAIL,
  mailedCode,
  makeUser,
  PASSWORD,
  settings,
  vendor,
  withPassword,
  wrongFor,
} from './inside.ts';

const DAY = 86_400;

let userId: string;

beforeEach(async () => {
  await reset();
  userId = await makeUser();
});

/** Enrols an app for the user and proves it. */
async function provenApp(): Promise<Factor> {
  const factor = await enrolApp(userId);
  expect(await verify((await challenge(factor.id)).id, await readCode(factor))).toBe('valid');
  return factor;
}

/** A sign-in whose next step is a second factor. */
interface Waiting {
  pending_authentication_token: string;
  authentication_challenge_id: string;
}

async function passFirstStep(): Promise<Waiting> {
  const { body } = await withPassword();
  expect(body.code).toBe('mfa_challenge');
  return {
    pending_authentication_token: body.pending_authentication_token ?? '',
    authentication_challenge_id: body.authentication_challenge?.id ?? '',
  };
}

const enter = (waiting: Waiting, code: string) => authenticate({ grant_type: vendor('mfa-totp'), ...waiting, code });

/** Enters wrong codes, five for a challenge and ten a minute. */
async function guess(times: number, wrong = async () => wrongFor(await mailedCode(PHONE).catch(() => '123455'))) {
  let waiting = await passFirstStep();
  for (let time = 0; time < times; time += 1) {
    if (time > 0 && time % 5 === 0) {
      await advance(61);
      waiting = await passFirstStep();
    }
    const { status } = await enter(waiting, await wrong());
    expect(status).toBe(400);
  }
}

/** The mails about wrong codes. */
const notices = async (to = EMAIL) => (await messages(to)).filter(({ subject }) => subject?.includes('Wrong codes'));

describe('the owner of an account', () => {
  test('is notified by mail, without a link, of the fifth wrong code in a day after the correct password', async () => {
    const factor = await provenApp();
    const wrong = async () => wrongFor(await readCode(factor, 3_600));
    await guess(4, wrong);
    expect(await notices()).toEqual([]);
    await advance(61);
    await guess(1, wrong);
    const [mail, ...others] = await notices();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('wrong codes');
    expect(mail?.text).toContain('change your password');
    for (const content of [mail?.text, mail?.html]) expect(content).not.toMatch(/https?:|href/);
  });

  test('is notified in the same way of wrong codes sent to their phone number', async () => {
    const { id } = await enrol({ type: 'sms', phone_number: PHONE, user_id: userId });
    expect(await verify((await challenge(id)).id, await mailedCode(PHONE))).toBe('valid');
    await advance(700);
    await guess(5);
    expect(await notices()).toHaveLength(1);
  });

  test('is notified in their language', async () => {
    for (const [locale, subject] of [
      ['de', 'Falsche Codes bei einer Anmeldung'],
      ['fr', 'Codes incorrects lors d’une connexion'],
      ['es', 'Códigos incorrectos al iniciar sesión'],
    ] as const) {
      await reset();
      userId = await makeUser({ locale });
      await provenApp();
      await guess(5, () => Promise.resolve('000000'));
      expect((await messages(EMAIL)).map((mail) => mail.subject)).toEqual([expect.stringContaining(subject)]);
    }
  });

  test('is notified at the next wrong code if the process crashed at the fifth', async () => {
    await reset({ calm: true });
    userId = await makeUser();
    const factor = await provenApp();
    const wrong = async () => wrongFor(await readCode(factor, 3_600));
    await guess(4, wrong);
    await advance(61);
    const waiting = await passFirstStep();
    await addFault({ target: 'table', kind: 'unavailable', operations: ['TransactWriteItems'] });
    expect((await enter(waiting, await wrong())).status).toBeGreaterThanOrEqual(500);
    await clearFaults();
    expect(await notices()).toEqual([]);
    expect((await enter(waiting, await wrong())).status).toBe(400);
    expect(await notices()).toHaveLength(1);
  });

  test('is not notified of four wrong codes and a correct one', async () => {
    const factor = await provenApp();
    await advance(60);
    const waiting = await passFirstStep();
    for (let time = 0; time < 4; time += 1) await enter(waiting, wrongFor(await readCode(factor)));
    expect(await enter(waiting, await readCode(factor))).toMatchObject({ status: 200 });
    expect(await notices()).toEqual([]);
  });
});

describe('mails about wrong codes', () => {
  test('are limited to one a day, however many codes are entered', async () => {
    const factor = await provenApp();
    const wrong = async () => wrongFor(await readCode(factor, 3_600));
    const waiting = [await passFirstStep(), await passFirstStep(), await passFirstStep()];
    const code = await wrong();
    await Promise.all(waiting.flatMap((one) => Array.from({ length: 6 }, () => enter(one, code))));
    await advance(3_600);
    await guess(12, wrong);
    expect(await notices()).toHaveLength(1);
    await advance(DAY);
    await guess(4, wrong);
    expect(await notices()).toHaveLength(1);
    await advance(61);
    await guess(3, wrong);
    expect(await notices()).toHaveLength(2);
  });

  test('are only sent after the correct password', async () => {
    const factor = await provenApp();
    const { authentication_challenge_id } = await passFirstStep();
    for (let time = 0; time < 12; time += 1) {
      await authenticate({ grant_type: 'password', email: EMAIL, password: `guess ${time}` });
      const forged = { pending_authentication_token: 'a guess', authentication_challenge_id };
      expect((await enter(forged, wrongFor(await readCode(factor)))).status).toBe(400);
    }
    expect(await messages(EMAIL)).toEqual([]);
  });

  test('are not caused by another user’s sign-in that uses the id of the challenge', async () => {
    await provenApp();
    const { authentication_challenge_id } = await passFirstStep();
    const eve = await makeUser({ email: 'eve@example.com' });
    const own = await enrolApp(eve);
    expect(await verify((await challenge(own.id)).id, await readCode(own))).toBe('valid');
    const { body } = await authenticate({ grant_type: 'password', email: 'eve@example.com', password: PASSWORD });
    const theirs = {
      pending_authentication_token: body.pending_authentication_token ?? '',
      authentication_challenge_id,
    };
    for (let time = 0; time < 7; time += 1) expect((await enter(theirs, '000000')).status).toBe(404);
    expect(await messages()).toEqual([]);
  });

  test('are sent only to a verified address', async () => {
    await settings({ require_email_verification: false });
    await provenApp();
    await call('PUT', `/user_management/users/${userId}`, { email: 'unproved@example.com' });
    const { body } = await authenticate({ grant_type: 'password', email: 'unproved@example.com', password: PASSWORD });
    expect(body.code).toBe('mfa_challenge');
    const waiting = {
      pending_authentication_token: body.pending_authentication_token ?? '',
      authentication_challenge_id: body.authentication_challenge?.id ?? '',
    };
    for (let time = 0; time < 7; time += 1) expect((await enter(waiting, '000000')).status).toBe(400);
    expect(await messages('unproved@example.com')).toEqual([]);
    expect(await notices()).toEqual([]);
  });

  test('are not sent about a factor whose enrolment was not completed', async () => {
    await settings({ mfa: 'required' });
    const factor = await enrolApp(userId);
    const { body } = await withPassword();
    expect(body.code).toBe('mfa_enrollment');
    const waiting = {
      pending_authentication_token: body.pending_authentication_token ?? '',
      authentication_challenge_id: (await challenge(factor.id)).id,
    };
    for (let time = 0; time < 7; time += 1) expect((await enter(waiting, '000000')).status).toBe(400);
    expect(await messages(EMAIL)).toEqual([]);
  });
});
