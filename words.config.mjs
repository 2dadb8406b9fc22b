/**
 * The rules of syntax and words, which need no types: `npm run check -- words` passes this file to oxlint, and is therefore fast. Rules
 * that ESLint has are oxlint's own; the others are in words.plain.mjs. `.oxlintrc.json` has the rules that need types.
 */

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
/** A commit that met a conflict has written nothing, and only its outcome says so. */
const UNREAD_COMMIT = {
  selector:
    "ExpressionStatement > :matches(AwaitExpression, UnaryExpression[operator='void']) > CallExpression[callee.property.name='commit']",
  message:
    'After a conflict nothing is written: read the outcome, use applyWork, or give the reason to acceptConflict (kernel/storage/background.ts).',
};
const UNSETTLED = {
  selector: "MemberExpression[object.name='Promise'][property.name='all']",
  message: 'It rejects while the other promises continue: use awaitAll (kernel/concurrency.ts).',
};
const SHORT_PAGE = {
  selector:
    "BinaryExpression[operator=/^(<|[!=]==)$/][left.property.name='length']:matches([right.property.name='limit'], [right.name=/^(limit|[A-Z_]*(PAGE|STEP|AT_ONCE|A_READ|PER_READ|A_STEP))$/])",
  message:
    'DynamoDB ends each Query at 1 MB, so a short page is not the last one: the page says in `reached` whether the list continues (kernel/storage/list.ts).',
};
/** A query of ElectroDB returns one page of at most 1 MB, whatever its limit. */
const READ_PAST_LISTS = {
  selector:
    "VariableDeclarator[id.properties.length=1][id.properties.0.key.name='data'] CallExpression[callee.property.name='go'][arguments.0.properties.0.key.name!='response']",
  message: 'Rows are read by `list` or `select` of a collection, which say whether the list continues.',
};
const EVERYWHERE = [EFFECTS_AT_LOAD, UNREAD_COMMIT, UNSETTLED, SHORT_PAGE, READ_PAST_LISTS];
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
const boundaries = [
  {
    files: ['functions/**/*.ts', 'lib/**/*.ts'],
    rules: { 'words/syntax': ['error', ...EVERYWHERE] },
  },
  {
    files: ['functions/kernel/concurrency.ts'],
    rules: { 'words/syntax': ['error', ...EVERYWHERE.filter((rule) => rule !== UNSETTLED)] },
  },
  {
    files: ['functions/**/*.ts'],
    excludeFiles: ['functions/kernel/egress/**'],
    rules: { 'no-restricted-globals': ['error', ...NETWORK] },
  },
  {
    files: ['functions/**/*.ts'],
    excludeFiles: ['functions/kernel/**'],
    rules: {
      'no-restricted-properties': ['error', ...OWN_CLOCK],
      'words/syntax': ['error', ...EVERYWHERE, NEW_DATE, DECLARED_OPERATION],
    },
  },
  {
    // step.ts makes the two operations of each page of a sign-in.
    files: ['functions/*/**/operations.ts', 'functions/*/**/*-operations.ts', 'functions/faces/pages/flow/step.ts'],
    rules: { 'words/syntax': ['error', ...EVERYWHERE, NEW_DATE] },
  },
  {
    files: ['functions/**/schema.ts', 'functions/**/rules.ts'],
    rules: {
      'no-restricted-properties': ['error', ...IMPURE],
      'words/syntax': ['error', ...EVERYWHERE, NEW_DATE, DECLARED_OPERATION],
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

const words = [
  {
    files: ['functions/**/*.ts', 'lib/**/*.ts', 'bin/**'],
    rules: { 'words/plain': 'error', 'words/sentence': 'error', 'words/names': 'error' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'words/plain': ['error', { in: ['titles', 'comments'] }],
      'words/sentence': 'error',
      'words/names': 'error',
    },
  },
];

export default {
  plugins: ['typescript'],
  jsPlugins: ['./words.plain.mjs'],
  categories: { correctness: 'off' },
  options: { reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['cdk.out/', '.gatehouse/'],
  rules: {
    // Comments disable this rule of .oxlintrc.json: without it they would be reported as unused.
    'typescript/no-explicit-any': 'error',
    // Node removes only the types of such an import, and still loads the file.
    'typescript/no-import-type-side-effects': 'error',
  },
  overrides: [...boundaries, ...words],
};
