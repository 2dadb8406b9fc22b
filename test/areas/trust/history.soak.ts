import { expect, test } from '@jest/globals';

import { runHistory } from './history.ts';

/** Steps of one history: later ones find the sessions and links of the former. */
const EACH = 400;
const steps = Number(process.env.GATEHOUSE_TRUST_STEPS ?? 100_000);
const seed = Number(process.env.GATEHOUSE_TRUST_SEED ?? Date.now());

test(`${steps} steps of random histories keep rule 1, from the seed ${seed}`, async () => {
  let moves = 0;
  for (let done = 0; done < steps; done += EACH) moves += (await runHistory(seed + done, EACH)).moves;
  expect(moves).toBeGreaterThan(0);
}, 86_400_000);
