import { createRequire } from 'node:module';

// Jest's own sequencer is a dependency of Jest, which this project does not name.
const { default: Sequencer } = createRequire(import.meta.resolve('jest'))('@jest/test-sequencer');

/** The files that take longest, in this order. A new clone has no times of former runs, and Jest would order by size. */
const LONGEST = [
  'test/areas/console/matrix.test.ts',
  'test/contract/hostile-input.test.ts',
  'test/local/persistence.test.ts',
  'test/stack/bundle.test.ts',
  'test/stack/settings.test.ts',
  'test/local/commands.test.ts',
  'test/stack/stage.test.ts',
  'test/stack/real.test.ts',
  'test/contract/registry.test.ts',
  'test/areas/directory-sync/snapshots.test.ts',
  'test/local/pipeline.test.ts',
  'test/kernel/time-outs.test.ts',
];

/** Starts the longest files first, so that no worker is alone with one at the end of a run. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = LONGEST.findIndex((name) => path.endsWith(name));
      return at === -1 ? LONGEST.length : at;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
