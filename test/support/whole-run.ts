/** The part of Jest's configuration that says which tests of a run are chosen. */
export interface Chosen {
  testPathPatterns?: { patterns?: readonly string[] };
  testNamePattern?: string;
  onlyChanged?: boolean;
  onlyFailures?: boolean;
  shard?: unknown;
}

/** Reports whether a run has all tests of its configuration. */
export function isWholeRun({ testPathPatterns, testNamePattern, onlyChanged, onlyFailures, shard }: Chosen): boolean {
  const isNarrowed = (testPathPatterns?.patterns?.length ?? 0) > 0 || Boolean(testNamePattern);
  return !isNarrowed && !onlyChanged && !onlyFailures && shard === undefined;
}
