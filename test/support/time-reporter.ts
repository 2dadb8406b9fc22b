import { cpus } from 'node:os';

import { type Chosen, isWholeRun } from './whole-run.ts';

interface Results {
  numTotalTests: number;
  startTime: number;
  testResults: readonly { testFilePath: string; perfStats: { start: number; end: number } }[];
}

const SLOWEST = 12;
/** The number of operations of the whole contract. */
const CONTRACT = 264;
/**
 * Operations that the contract does not have: pages, the reference, protocols of feature flags, and the service's own below
 * `/x/`.
 */
const OWN = /^\/(x|hosted(?!\/oauth2\/complete$)|device|docs|openapi\.json|ofrep|sdk)(\/|$)/;

/** Time in ms for which the processors of this machine have worked, and been idle, since it started. */
function processorTime(): { busy: number; idle: number } {
  const times = cpus().map(({ times: each }) => each);
  const sum = (of: (each: (typeof times)[number]) => number): number => times.reduce((all, each) => all + of(each), 0);
  return { busy: sum(({ user, nice, sys, irq }) => user + nice + sys + irq), idle: sum(({ idle }) => idle) };
}

/**
 * Prints after a run of all files where its time went: the slowest files, how busy the processors were (the rest was
 * waiting), and after `npm test` the projection of the time to all operations of the contract.
 */
export default class TimeReporter {
  readonly #began = processorTime();
  readonly #isWhole: boolean;
  readonly #isPart: boolean;

  /** @param options `isPart` for a configuration that has only some of the tests, such as those in Chromium */
  constructor(chosen: Chosen, { isPart = false }: { isPart?: boolean } = {}) {
    this.#isWhole = isWholeRun(chosen);
    this.#isPart = isPart;
  }

  async onRunComplete(_contexts: unknown, { numTotalTests, startTime, testResults }: Results): Promise<void> {
    if (!this.#isWhole) return;
    const seconds = (Date.now() - startTime) / 1_000;
    const now = processorTime();
    const [busy, idle] = [now.busy - this.#began.busy, now.idle - this.#began.idle];
    const files = testResults
      .map(({ testFilePath, perfStats }) => ({
        file: testFilePath.split('/test/').at(-1) ?? testFilePath,
        seconds: (perfStats.end - perfStats.start) / 1_000,
      }))
      .sort((one, other) => other.seconds - one.seconds);
    const slowest = files.slice(0, SLOWEST).map(({ file, seconds: of }) => `  ${of.toFixed(1).padStart(6)} s  ${file}`);
    console.log(
      `The slowest of ${files.length} files:\n${slowest.join('\n')}\n` +
        `${numTotalTests} tests took ${seconds.toFixed(0)} s, in which the processors were ` +
        `${((100 * busy) / (busy + idle)).toFixed(0)} % busy.${this.#isPart ? '' : await projection(seconds)}`,
    );
  }
}

/** The time of the tests of all operations of the contract, by that of the operations that are there. */
async function projection(seconds: number): Promise<string> {
  // All areas are loaded only here, because a run of some tests does not wait for them.
  const { areas } = await import('../../functions/registry.ts');
  const operations = areas.flatMap((area) => area.operations);
  const ofContract = operations.filter(({ path, beyondContract }) => !beyondContract && !OWN.test(path)).length;
  const all = (seconds * CONTRACT) / Math.min(CONTRACT, ofContract);
  return ` There are ${operations.length} operations, ${ofContract} of the ${CONTRACT} of the contract: the tests of all would take ${all.toFixed(0)} s.`;
}
