import { describe, expect, test } from '@jest/globals';

import { newFolder, startTrial, type Trial } from './trial/start.ts';

const write = async (trial: Trial, text: string): Promise<void> => {
  expect((await trial.call('POST', '/x/trial/notes', { text })).status).toBe(201);
};

describe('a data folder', () => {
  test('continues work that kill -9 interrupted', async () => {
    const dataFolder = newFolder();
    const first = await startTrial({ dataFolder });
    const [steps, text] = [60, 'interrupted'];
    await first.call('POST', '/x/trial/notes', { text, silent: true, work: { steps, pause: 20 } });
    while (first.seen('work').length < 10) await new Promise((resolve) => setImmediate(resolve));
    await first.kill();
    const before = first.seen('work').map(({ step }) => step ?? 0);
    const reached = Math.max(...before);
    expect(reached).toBeLessThan(steps - 1);
    const second = await startTrial({ dataFolder });
    await second.idle();
    const after = second
      .seen('work')
      .slice(before.length)
      .map(({ step }) => step ?? 0);
    expect(Math.min(...after)).toBeGreaterThanOrEqual(reached - 1);
    expect(new Set([...before, ...after]).size).toBe(steps);
    await second.stop();
  });

  test('loses no event after kill -9 at any time', async () => {
    const dataFolder = newFolder();
    let trial = await startTrial({ dataFolder });
    const written: string[] = [];
    for (const stage of ['bus', 'queues', 'none']) {
      // The fault holds the event before the bus, then before the queues, while the process is ended by kill -9.
      if (stage !== 'none') await trial.local('POST', 'faults', { target: stage, kind: 'unavailable' });
      for (let at = 0; at < 5; at += 1) {
        const text = `${stage} ${at}`;
        await write(trial, text);
        written.push(text);
      }
      await trial.kill();
      trial = await startTrial({ dataFolder });
    }
    await trial.idle();
    expect([...new Set(trial.seen('deliver').map(({ text }) => text))].sort()).toEqual(written.sort());
    expect((await trial.call('GET', '/x/trial/notes?limit=100')).body.data).toHaveLength(written.length);
    await trial.stop();
  });
});
