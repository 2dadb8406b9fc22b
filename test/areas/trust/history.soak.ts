import { expect, test } from '@jest/globals';

import { runHistory } from './history.ts';

/** Steps of one history: later ones find the sessions and links of the former. */
const EACH = 400;
const steps = Number(process.env.GATEHOUSE_TRUST_STEPS ?? 100_000);
const seed = Number(process.env.GATEHOUSE_TRUST_SEED ?? Date.now());
/** The run ends after the history in which this time is over. */
const minutes = Number(process.env.GATEHOUSE_TRUST_MINUTES ?? 1_440);

test(`${steps} steps of random histories keep rule 1, from the seed ${seed}`, async () => {
  const startedAt = performance.now();
  let [done, moves, links] = [0, 0, 0];
  while (done < steps && performance.now() - startedAt < minutes * 60_000) {
    const counts = await runHistory(seed + done, EACH);
    [done, moves, links] = [done + counts.steps, moves + counts.moves, links + counts.links];
    const seconds = (performance.now() - startedAt) / 1_000;
    process.stderr.write(`${done} steps, ${moves} moves, ${links} links, ${(done / seconds).toFixed(1)} steps/s\n`);
  }
  expect(moves).toBeGreaterThan(0);
}, 86_400_000);
