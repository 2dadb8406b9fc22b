import { existsSync, readFileSync, rmSync } from 'node:fs';

import { type Chosen, isWholeRun } from '../whole-run.ts';
import type { Seen } from './record.ts';
import { gaps } from './gaps.ts';

/** The part of Jest's results that is read here. */
interface Results {
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  wasInterrupted?: boolean;
}

/**
 * Fails every run in which a record was changed without an event, and a complete run in which an operation has no test of its
 * behaviour; prints the declared errors and events that never occurred in it, and the gaps (`gaps.ts`) that are closed. Declarations are not checked after a run of some tests, or one that failed already.
 */
export default class DeclarationsReporter {
  readonly #isWhole: boolean;
  #failure: Error | undefined;

  /** @param options `isPart` for a configuration that has only some of the tests: it leaves declarations unseen that others cover */
  constructor(chosen: Chosen, { isPart = false }: { isPart?: boolean } = {}) {
    this.#isWhole = isWholeRun(chosen) && !isPart;
  }

  async onRunComplete(
    _contexts: unknown,
    { numFailedTests, numRuntimeErrorTestSuites, wasInterrupted }: Results,
  ): Promise<void> {
    // Jest sets `success` only after its reporters, since they can fail a run.
    const hasFailed = numFailedTests + numRuntimeErrorTestSuites > 0;
    const file = process.env.GATEHOUSE_DECLARATIONS ?? '';
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    rmSync(file, { force: true });
    if (lines.length === 0 && !this.#isWhole) return;
    const { NO_BEHAVIOUR, unannounced, unseenDeclarations } = await import('./unseen.ts');
    const seen = lines.map((line) => JSON.parse(line) as Seen);
    const silent = unannounced(seen);
    if (silent.length > 0) {
      this.#failure = new Error(
        `Records were changed without an event:\n  ${silent.join('\n  ')}\n` +
          'Use unit.announce, or name the attribute in `silent` of the collection (CONTRIBUTING.md, Checks).',
      );
      console.error(this.#failure.message);
    }
    if (!this.#isWhole || hasFailed || wasInterrupted) return;
    // All areas: a run of some tests does not wait for them.
    const { areas } = await import('../../../functions/registry.ts');
    const all = unseenDeclarations(areas, seen);
    const closed = [...gaps].filter((line) => !all.includes(line));
    if (closed.length > 0) {
      console.error(`Remove from test/support/declarations/gaps.ts, a test covers it:\n  ${closed.join('\n  ')}`);
    }
    const unseen = all.filter((line) => !gaps.has(line));
    if (unseen.length === 0) return;
    const message =
      `Declared, but never seen by any test:\n  ${unseen.join('\n  ')}\n` +
      'Add a test that provokes each error, emits and receives each event, and calls each operation, or remove the ' +
      'declaration (CONTRIBUTING.md, Checks).';
    console.error(message);
    if (unseen.some((line) => line.includes(NO_BEHAVIOUR))) this.#failure = new Error(message);
  }

  /** An error makes Jest exit with 1. */
  getLastError(): Error | undefined {
    return this.#failure;
  }
}
