/** The part of Jest's results that is read here. */
interface Outcome {
  fullName: string;
  status: string;
  /** Number of attempts. */
  invocations?: number | undefined;
}

/** Lists, at the end of a run, the tests that passed only at their second attempt: see `second-try.ts`. */
export default class UnsteadyReporter {
  readonly #unsteady: string[] = [];

  onTestResult({ path }: { path: string }, { testResults }: { testResults: readonly Outcome[] }): void {
    for (const { fullName, status, invocations = 1 } of testResults) {
      if (status === 'passed' && invocations > 1) this.#unsteady.push(`${path}: ${fullName}`);
    }
  }

  onRunComplete(): void {
    if (this.#unsteady.length === 0) return;
    console.warn(
      `Unsteady, to be mended: passed at the second try only (their first failures stand above)\n  ${this.#unsteady.join('\n  ')}`,
    );
  }
}
