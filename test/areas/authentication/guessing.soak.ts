import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, reset } from '../../support/service.ts';
import { compareTimes } from '../../support/timing.ts';
import { authenticate, EMAIL, makeUser } from './inside.ts';

beforeEach(() => reset({ calm: true }));

describe('the existence of an account', () => {
  test('is not revealed by the time of a sign-in (Welch’s t-test)', async () => {
    await makeUser();
    await call('PUT', '/x/authentication/settings', {});
    const guess = (email: string) => async (at: number) => {
      // The limit of an address is ten a minute.
      if (at % 18 === 0) await advance(61);
      const { status } = await authenticate({ grant_type: 'password', email, password: 'a wrong password' });
      expect(status).toBe(400);
    };
    expect(await compareTimes([guess(EMAIL), guess('nobody@example.com')], 60)).toMatchObject({
      isDistinguishable: false,
    });
  });
});
