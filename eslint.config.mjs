import tseslint from 'typescript-eslint';

import { words } from './eslint.words.mjs';

/** Global functions that reach the network or the time past the kernel. */
const NETWORK = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
  name,
  message: 'Requests leave through kernel/egress, which guards against internal addresses.',
}));
const EFFECTS_AT_LOAD = {
  selector: 'Program > ExpressionStatement',
  message: 'Importing a file has no side effects: put this into a function.',
};
const OWN_CLOCK = [
  { object: 'Date', property: 'now', message: 'Time is read from kernel/clock, which tests can move.' },
];
const NEW_DATE = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Time is read from kernel/clock, which tests can move.',
};
const DECLARED_OPERATION = {
  selector: "CallExpression[callee.name='operation']",
  message: 'Operations are declared in a file named operations.ts or …-operations.ts.',
};
const IMPURE = [
  ...OWN_CLOCK,
  { object: 'Math', property: 'random', message: 'A schema or rule is pure: pass the random value in.' },
  { object: 'process', property: 'env', message: 'A schema or rule is pure: pass the setting in.' },
];
const RANDOM = [
  'randomBytes',
  'randomInt',
  'randomUUID',
  'randomFill',
  'randomFillSync',
  'getRandomValues',
  'webcrypto',
];

/** What the code may not do beside what it may not import (see .dependency-cruiser.mjs). */
export const boundaries = [
  {
    files: ['functions/**/*.ts', 'lib/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', EFFECTS_AT_LOAD] },
  },
  {
    files: ['functions/**/*.ts'],
    ignores: ['functions/kernel/egress/**'],
    rules: { 'no-restricted-globals': ['error', ...NETWORK] },
  },
  {
    files: ['functions/**/*.ts'],
    ignores: ['functions/kernel/**'],
    rules: {
      'no-restricted-properties': ['error', ...OWN_CLOCK],
      'no-restricted-syntax': ['error', EFFECTS_AT_LOAD, NEW_DATE, DECLARED_OPERATION],
    },
  },
  {
    // step.ts makes the two operations of each page of a sign-in.
    files: ['functions/*/**/operations.ts', 'functions/*/**/*-operations.ts', 'functions/pages/flow/step.ts'],
    rules: { 'no-restricted-syntax': ['error', EFFECTS_AT_LOAD, NEW_DATE] },
  },
  {
    files: ['functions/**/schema.ts', 'functions/**/rules.ts'],
    rules: {
      'no-restricted-properties': ['error', ...IMPURE],
      'no-restricted-syntax': ['error', EFFECTS_AT_LOAD, NEW_DATE, DECLARED_OPERATION],
      'no-restricted-imports': [
        'error',
        ...['crypto', 'node:crypto'].map((name) => ({
          name,
          importNames: RANDOM,
          message: 'A schema or rule is pure: pass the random value in.',
        })),
      ],
    },
  },
];

export default tseslint.config(
  { ignores: ['cdk.out/', '.gatehouse/', 'node_modules/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['*.mjs', 'bin/*.mjs', 'test/support/*.mjs', '.dependency-cruiser.mjs'],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      complexity: ['error', 20],
      eqeqeq: 'error',
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      // An async function without await keeps one shape where an interface asks for a promise.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    },
  },
  ...boundaries,
  ...words,
  // A command talks to its terminal, and a test is as long as its story.
  { files: ['bin/**', 'test/**'], rules: { 'no-console': 'off', 'max-lines-per-function': 'off' } },
  { files: ['**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
