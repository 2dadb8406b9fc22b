/** The result of a step: `emulator` is a failure whose cause is known to be the emulator. */
export type Verdict = 'ok' | 'failed' | 'emulator';

/** The result of one step. */
export interface Step {
  name: string;
  verdict: Verdict;
  why?: string;
}

/**
 * Steps that the emulator cannot pass, with the reason. A step that passes nevertheless is reported, so that it is removed
 * here.
 */
export type Known = Readonly<Record<string, string>>;

/** Runs steps and collects their results. */
export class Steps {
  readonly all: Step[] = [];
  readonly #known: Known;

  constructor(known: Known = {}) {
    this.#known = known;
  }

  /**
   * Runs a step that the following steps of its flow need.
   * @throws the error of the step
   */
  async do<T>(name: string, play: () => T | Promise<T>): Promise<T> {
    try {
      const value = await play();
      this.all.push({ name, verdict: 'ok', ...(name in this.#known ? { why: 'passes, take it off the list' } : {}) });
      return value;
    } catch (error) {
      const known = this.#known[name];
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.all.push(
        known === undefined
          ? { name, verdict: 'failed', why: why.slice(0, 600) }
          : { name, verdict: 'emulator', why: known },
      );
      throw error;
    }
  }

  /** Runs a flow to its end or to the first step that fails; the next flow begins in any case. */
  async flow(name: string, play: (step: <T>(what: string, run: () => T | Promise<T>) => Promise<T>) => Promise<void>) {
    const before = this.all.length;
    try {
      await play((what, run) => this.do(`${name}: ${what}`, run));
    } catch (error) {
      // A failure outside of a step is recorded as a step, because otherwise it would be lost.
      if (this.all.slice(before).every(({ verdict }) => verdict === 'ok')) {
        this.all.push({ name: `${name}: itself`, verdict: 'failed', why: String(error).slice(0, 600) });
      }
    }
  }

  count(verdict: Verdict): number {
    return this.all.filter((step) => step.verdict === verdict).length;
  }
}

/**
 * Checks a condition.
 * @throws Error with the actual value if it is false
 */
export function must(isTrue: boolean, found: unknown): asserts isTrue {
  if (!isTrue) throw new Error(`found ${JSON.stringify(found)?.slice(0, 400) ?? 'nothing'}`);
}
