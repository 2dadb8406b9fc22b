/**
 * The test files that go through all operations, pages, bundles or commands and take more than half a minute of CPU time each. `npm test`
 * without a pattern leaves them to `npm run corpora`, so that it responds in minutes; CI runs both (`.ci/run`). A pattern, or a change
 * that can break one of them (`--changed`), finds them as any other file.
 */
export const corpora: readonly string[] = [
  // Every operation with broken paths, bodies and queries.
  'test/contract/hostile-input.test.ts',
  // Changes and deletions of what they depend on at the same moment, 200 times each.
  'test/contract/write-skew-races.test.ts',
  // Every kind of record and the deletion of each kind of owner.
  'test/areas/erasure/nothing-left.test.ts',
  // Every page, act and operation for each role of operators.
  'test/areas/console/matrix.test.ts',
  // Every function of a stage as it is deployed.
  'test/stack/bundle.test.ts',
  // Every stage of cdk.json, synthesised with cdk-nag.
  'test/stack/settings.test.ts',
  // Stops and crashes of the local service in each of its states; every command.
  'test/local/persistence.test.ts',
  'test/local/commands.test.ts',
];
