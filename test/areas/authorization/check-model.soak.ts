/**
 * Runs ten times as many random scenarios as `npm test`, and compares all lookups after each of their steps.
 *
 *     npm run soak -- long-tests
 *
 * The test reads this number when it is loaded.
 */
process.env.GATEHOUSE_MODEL_RUNS = '60';

await import('./check-model.test.ts');

export {};
