import { runJest } from '../../../bin/jest.ts';
import { must } from '../scenario.ts';

/** The tests whose statistics, crashes and time-outs take too long for `npm test` (`*.soak.ts`); it has a fast case of each. */
export const longTests = {
  name: 'long-tests',
  run: async () => {
    must((await runJest('test/soak/jest.config.mjs', [])) === 0, 'Every test of *.soak.ts passes.');
  },
};
