import { beforeEach, describe, expect, test } from '@jest/globals';

import { reset } from '../../support/service.ts';
import { CUSTOMERS } from './customers.ts';
import { runHistory } from './history.ts';

/** `npm run soak -- trust` runs more. */
const steps = Number(process.env.GATEHOUSE_TRUST_STEPS ?? 60);

describe('random histories keep rule 1', () => {
  test.each([1, 2, 3, 4, Date.now()])(
    'with the seed %i',
    async (seed) => {
      const { sessions } = await runHistory(seed, steps);
      expect(sessions).toBeGreaterThan(0);
    },
    90_000 + 1_000 * steps,
  );
});

describe('what a customer relies on', () => {
  beforeEach(() => reset({ calm: true }));

  test.each(Object.entries(CUSTOMERS))('%s', async (_, rely) => {
    await rely();
  });
});
