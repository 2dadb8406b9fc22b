import { expect, test } from '@jest/globals';

import { checkHistories } from './histories.ts';

test('past states are what a recorder saw after each step of 150 random histories of up to 20 steps', async () => {
  const { states } = await checkHistories(150, 20);
  expect(states).toBeGreaterThan(2_000);
}, 1_800_000);
