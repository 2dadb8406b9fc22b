import { beforeEach, describe, expect, test } from '@jest/globals';

import { compareTimes } from '../../support/timing.ts';
import { FORMS, openSender, prepare } from './sender.ts';

const SAMPLES = 40;

beforeEach(() => prepare());

describe('the existence of an account', () => {
  test.each(FORMS)('is not revealed by the response time %s (Welch’s t-test)', async (...form) => {
    const { known, unknown } = await openSender(form);
    expect(await compareTimes([known, unknown], SAMPLES)).toMatchObject({ isDistinguishable: false });
  });
});
