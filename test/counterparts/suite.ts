/** A step of a suite: what was tried, and the reason if it failed. */
export interface Step {
  readonly step: string;
  readonly ok: boolean;
  readonly why?: string;
}

/** A counterpart that is not ours, with the steps that are played against it. */
export interface Suite {
  readonly name: string;
  readonly title: string;
  /** @throws {Skipped} with the reason when this machine or its registry does not have the counterpart */
  readonly play: () => Promise<readonly Step[]>;
}

/** A step that compares two values by their JSON. */
export function compare(step: string, found: unknown, expected: unknown): Step {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  return left === right ? { step, ok: true } : { step, ok: false, why: `found ${left}, expected ${right}` };
}
