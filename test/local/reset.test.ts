import { expect, test } from '@jest/globals';

import { newFolder, startTrial } from './trial/start.ts';

test.each([
  ['a data folder', newFolder],
  ['memory', () => undefined],
])('a reset of %s removes all rows, and later changes are read from the stream', async (_, makeFolder) => {
  const dataFolder = makeFolder();
  const trial = await startTrial(dataFolder === undefined ? {} : { dataFolder });
  const listTexts = async (): Promise<string[]> =>
    (await trial.call('GET', '/x/trial/notes')).body.data.map(({ text }) => text);
  for (const text of ['first', 'second', 'third']) {
    expect((await trial.call('POST', '/x/trial/notes', { text })).status).toBe(201);
    await trial.idle();
    expect(await listTexts()).toEqual([text]);
    await trial.local('POST', 'reset');
    expect(await listTexts()).toEqual([]);
  }
  expect(trial.seen('relay').map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  await trial.stop();
});
