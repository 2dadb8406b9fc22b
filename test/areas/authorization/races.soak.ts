/**
 * Runs each race of authorization more often than `npm test`.
 *
 *     npm run soak -- long-tests
 *
 * The tests read this number when they are loaded.
 */
process.env.GATEHOUSE_RACE_ROUNDS = '60';

await import('./races.test.ts');

export {};
