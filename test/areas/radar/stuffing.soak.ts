import { beforeEach, expect, test } from '@jest/globals';

import { reset } from '../../support/service.ts';
import { addNeighbours, attempt, stuff } from './stuffing.ts';

/** Number of addresses, with 5,000 attempts in total. */
const ADDRESSES = 50;

beforeEach(() => reset({ calm: true }));

test('users who share fifty addresses with an attacker’s 5,000 stuffed credentials can sign in, and the attack is challenged', async () => {
  const people = await addNeighbours(ADDRESSES);
  const { block, challenge } = await stuff(ADDRESSES);
  expect(block).toBe(0);
  expect(challenge).toBeGreaterThan(ADDRESSES * 70);
  for (const { email, address } of people) expect((await attempt(email, address)).verdict).toBe('allow');
});
