/** The result of a step: its name, and the reason if it failed. */
export interface Step {
  readonly step: string;
  readonly ok: boolean;
  readonly why?: string;
}

/** A counterpart (software or test documents of another project), with the steps that compare the service with it. */
export interface Suite {
  readonly name: string;
  readonly title: string;
  /**
   * Runs the steps.
   * @throws {Skipped} with the reason if the counterpart is not available on this machine or in its registry
   */
  readonly play: () => Promise<readonly Step[]>;
}

/** A step that compares two values by their JSON. */
export function compare(step: string, found: unknown, expected: unknown): Step {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  return left === right ? { step, ok: true } : { step, ok: false, why: `found ${left}, expected ${right}` };
}
