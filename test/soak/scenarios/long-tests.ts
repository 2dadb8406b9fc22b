import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { must } from '../scenario.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The tests whose statistics, crashes and time-outs take too long for `npm test` (`*.soak.ts`); it has a fast case of each. */
export const longTests = {
  name: 'long-tests',
  run: async () => {
    const jest = ['node_modules/jest/bin/jest.js', '-c', 'test/soak/jest.config.mjs'];
    const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...jest];
    const child = spawn(process.execPath, options, { cwd: root, stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    must(code === 0, 'Every test of *.soak.ts passes.');
  },
};
