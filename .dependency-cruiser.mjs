/** The import rules of the project: each says in its comment what it protects. */
const only = (name, comment, target, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^(bin|lib|functions|test)/', pathNot: allowed },
  to: { path: target },
});

export default {
  forbidden: [
    {
      name: 'kernel-knows-no-area',
      comment: 'The kernel is what every area stands on, so it may not know one, nor who runs it.',
      severity: 'error',
      from: { path: '^functions/kernel/' },
      to: { path: '^(functions/(?!kernel/)|lib/|bin/|test/)' },
    },
    {
      name: 'functions-know-no-runtime',
      comment: 'Code under functions/ cannot tell AWS from a laptop.',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(lib|bin|test)/' },
    },
    {
      name: 'areas-meet-in-public',
      comment: 'An area uses another area through its public.ts alone; otherwise it reacts to events.',
      severity: 'error',
      from: { path: '^functions/([^/]+)/', pathNot: '^functions/kernel/' },
      to: {
        path: '^functions/([^/]+)/',
        pathNot: '^functions/(kernel|$1)/|^functions/[^/]+/public\\.ts$|^functions/[^/]+$',
      },
    },
    {
      name: 'schemas-and-rules-are-pure',
      comment: 'What a value looks like and what is decided about it needs no SDK, table, clock or network.',
      severity: 'error',
      from: { path: '^functions/.*/(schema|rules)\\.ts$' },
      to: {
        path: '(^|/)(@aws-sdk|electrodb|@middy)/|entity\\.ts$|^functions/kernel/(storage|egress|clock|keys|messages)|^(node:)?(http|https|dns|net|fs)$',
        dependencyTypesNot: ['type-only'],
      },
    },
    only(
      'electrodb-in-storage',
      'Storage has one door, behind which an entity waits for its first use.',
      'node_modules/electrodb/',
      '^functions/kernel/storage/',
    ),
    only('middy-in-kernel', 'The Lambda entry is built in one place.', 'node_modules/@middy/', '^functions/kernel/'),
    only(
      'cdk-in-stack',
      'Only the stack knows the CDK.',
      'node_modules/(aws-cdk-lib|cdk-nag|constructs)/',
      '^lib/stack/|^bin/app\\.ts$|^test/stack/',
    ),
    {
      name: 'network-in-egress',
      comment: 'What leaves for an address that a customer named goes through the guard.',
      severity: 'error',
      from: { path: '^functions/', pathNot: '^functions/kernel/egress' },
      to: { path: '^(node:)?(http|https|http2|dns|dns/promises|net|tls)$' },
    },
    {
      name: 'two-interpreters',
      comment: 'The stack and the local runtime meet in the topology alone.',
      severity: 'error',
      from: { path: '^lib/(stack|local)/' },
      to: { path: '^lib/(stack|local)/', pathNot: '^lib/$1/' },
    },
    {
      name: 'no-cycles',
      comment: 'A cycle has no reading order.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is dead.',
      severity: 'error',
      from: { orphan: true, path: '^(lib|functions)/' },
      to: {},
    },
    {
      name: 'resolvable',
      comment: 'An import names a file or a declared package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
