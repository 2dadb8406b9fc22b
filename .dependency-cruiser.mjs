/**
 * The import rules of the project: each says in its comment what it protects. `test/architecture` plants a violation of each
 * and expects the check to find it.
 */

const sources = '^(bin|lib|functions|test)/';

/** The groups of functions/, the highest first: a group imports those below it, and all import the kernel. */
const groups = [
  'stage',
  'record',
  'faces',
  'oauth',
  'sign-in',
  'access',
  'connections',
  'proofs',
  'outbound',
  'tenancy',
];
/** A folder of a group: an area with a Lambda of its own, or a module below `modules`, which has none. */
const folder = '[^/]+/(?:modules/)?[^/]+';

/** Rule: only the allowed places import the target. */
const only = (name, comment, target, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: sources, pathNot: allowed },
  to: { path: target },
});

/** Rules over every import, types included. */
const rules = [
  {
    name: 'kernel-imports-no-area',
    comment: 'Every area builds on the kernel, so the kernel imports no area and no runtime.',
    severity: 'error',
    from: { path: '^functions/kernel/' },
    to: { path: '^(functions/(?!kernel/)|lib/|bin/|test/)' },
  },
  ...groups.slice(1).map((group, at) => ({
    name: `${group}-imports-no-group-above`,
    comment: 'Groups depend on each other in one direction, so that a reader begins at the lowest. Type imports count.',
    severity: 'error',
    from: { path: `^functions/${group}/` },
    to: { path: `^functions/(${groups.slice(0, at + 1).join('|')})/` },
  })),
  {
    name: 'functions-import-no-runtime',
    comment: 'Code under functions/ cannot tell AWS from a laptop.',
    severity: 'error',
    from: { path: '^functions/' },
    to: { path: '^(lib|bin|test)/' },
  },
  {
    name: 'product-imports-no-test',
    comment: 'What is shipped does not depend on its tests.',
    severity: 'error',
    from: { path: '^(lib|bin)/' },
    to: { path: '^test/' },
  },
  {
    name: 'areas-meet-in-public',
    comment: 'An area imports the kernel, itself and the public.ts of another area; otherwise it reacts to events.',
    severity: 'error',
    from: { path: `^functions/(${folder})/`, pathNot: '^functions/kernel/|/area\\.ts$' },
    to: {
      path: '^functions/',
      pathNot: `^functions/(kernel|$1)/|^functions/${folder}/public\\.ts$|^functions/openapi\\.json$`,
    },
  },
  {
    name: 'areas-serve-operations-of-modules',
    comment: 'The area.ts of a Lambda also imports the operations.ts of modules that have no Lambda of their own.',
    severity: 'error',
    from: { path: `^functions/(${folder})/area\\.ts$` },
    to: {
      path: '^functions/',
      pathNot:
        `^functions/(kernel|$1)/|^functions/${folder}/public\\.ts$` + `|^functions/[^/]+/modules/.+/operations\\.ts$`,
    },
  },
  only(
    'electrodb-in-storage',
    'ElectroDB is imported in one place, which loads it at the first use of an entity.',
    'node_modules/electrodb/',
    '^functions/kernel/storage/',
  ),
  only(
    'xml-in-saml',
    'XML is parsed, verified and decrypted in one place, whose limits and order are tested. Tests forge with the same packages.',
    'node_modules/(@xmldom/xmldom|xml-crypto|xml-encryption)/',
    '^functions/sign-in/sso/saml/|^test/',
  ),
  only('middy-in-kernel', 'The Lambda entry is built in one place.', 'node_modules/@middy/', '^functions/kernel/'),
  only(
    'cdk-in-stack',
    'Only the stack imports the CDK.',
    'node_modules/(aws-cdk-lib|cdk-nag|constructs)/',
    '^lib/stack/|^bin/app\\.ts$|^test/stack/',
  ),
  {
    name: 'network-in-egress',
    comment: 'A connection to an address that a customer named goes through the egress guard.',
    severity: 'error',
    from: { path: '^functions/', pathNot: '^functions/kernel/egress' },
    to: { path: '^(node:)?(http|https|http2|dgram|dns|dns/promises|net|tls|child_process|cluster|worker_threads)$' },
  },
  {
    name: 'table-client-in-storage',
    comment:
      'Rows are read and written through collections and units of work, which scope them to an environment. Only the ' +
      'events of audit logs are read and written in bulk, by keys that begin with the environment.',
    severity: 'error',
    from: { path: '^functions/', pathNot: '^functions/kernel/|^functions/record/audit-logs/event/store\\.ts$' },
    to: { path: '^functions/kernel/storage/client\\.ts$|node_modules/@aws-sdk/(client-dynamodb|lib-dynamodb)/' },
  },
  {
    name: 'sqlite-in-one-file',
    comment: "Node's SQLite module is experimental, so only one file of the local service uses it.",
    severity: 'error',
    from: { path: '^(functions|lib|bin)/', pathNot: '^lib/local/database\\.ts$' },
    to: { path: '^(node:)?sqlite$' },
  },
  {
    name: 'no-development-dependencies',
    comment: 'A function imports only what is installed in production.',
    severity: 'error',
    from: { path: '^functions/' },
    to: { dependencyTypes: ['npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/@types/' },
  },
  {
    name: 'stack-and-local-are-apart',
    comment: 'The stack and the local runtime share only the topology.',
    severity: 'error',
    from: { path: '^lib/(stack|local)/' },
    to: { path: '^lib/(stack|local)/', pathNot: '^lib/$1/' },
  },
  {
    name: 'no-cycles',
    comment: 'A cycle has no reading order. Type imports count.',
    severity: 'error',
    from: { path: sources },
    to: { circular: true },
  },
  {
    name: 'no-area-cycles',
    comment: 'Areas depend on each other in one direction. Type imports count.',
    severity: 'error',
    scope: 'folder',
    from: { path: `^functions/(?!kernel/)${folder}$` },
    to: { path: `^functions/(?!kernel/)${folder}$`, circular: true },
  },
  {
    name: 'no-dead-files',
    comment:
      'A file that no other product file imports is dead. Lambda entries, bundle aliases and types are found by name.',
    severity: 'error',
    from: { path: '^(bin|lib|functions)/' },
    module: {
      path: '^(lib|functions)/.*\\.ts$',
      pathNot:
        '^functions/[^/]+/[^/]+/handler\\.ts$|^lib/stack/lambda-credentials\\.ts$|\\.d\\.ts$|^functions/sign-in/sso/saml/issue\\.ts$',
      numberOfDependentsLessThan: 1,
    },
  },
  {
    name: 'resolvable',
    comment: 'An import names a file or a declared package.',
    severity: 'error',
    // Applications whose packages have a lock file of their own.
    from: { pathNot: '^test/clients/authkit/(next|session)/' },
    to: { couldNotResolve: true },
  },
];

/**
 * The rule over what is loaded when a file runs. dependency-cruiser would have to read the imports again, without those of types, so
 * bin/imports.ts follows the imports that it read for the other rules.
 */
export const purity = {
  name: 'schemas-and-rules-are-pure',
  comment: 'What a value looks like and what is decided about it needs no SDK, table, clock, randomness or network.',
  from: /^functions\/(.+\/(schema|rules)|(?!kernel\/).+\/settings)\.ts$/,
  to: new RegExp(
    'node_modules/(@aws-sdk|electrodb|@middy)/|entity\\.ts$' +
      '|^functions/kernel/(storage|egress|keys|messages)/|^functions/kernel/(clock|settings|queues|bus)\\.ts$' +
      '|^(node:)?(http|https|http2|dgram|dns|dns/promises|net|tls|fs|fs/promises|child_process|process)$',
  ),
  /** What another area loads behind its public.ts is checked there. */
  notBehind: /^functions\/[^/]+\/(modules\/)?[^/]+\/public\.ts$/,
};

export default {
  forbidden: rules,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
