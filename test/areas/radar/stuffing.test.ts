import { beforeEach, expect, test } from '@jest/globals';

import { reset } from '../../support/service.ts';
import { explained } from './support.ts';
import { addNeighbours, attempt, stuff } from './stuffing.ts';

beforeEach(() => reset({ calm: true }));

/** Number of addresses; `npm run soak -- long-tests` uses fifty. */
const ADDRESSES = 4;

test('users who share addresses with an attacker’s stuffed credentials can sign in, and the attack is challenged', async () => {
  const people = await addNeighbours(ADDRESSES);
  const { block, challenge } = await stuff(ADDRESSES);
  // The first attempts of each address look like those of an office.
  expect(block).toBe(0);
  expect(challenge).toBeGreaterThan(ADDRESSES * 70);
  for (const { email, address } of people) expect((await attempt(email, address)).verdict).toBe('allow');
  const newcomer = await attempt('newcomer@example.com', '203.0.113.0');
  expect(newcomer).toMatchObject({ verdict: 'challenge', control: 'brute_force_attack' });
  const matched = (await explained(newcomer.attemptId)).rules.filter((rule) => rule.matched);
  expect(matched.map(({ name }) => name)).toEqual(['many-emails-from-an-address']);
});
