/**
 * `node bin/run.mjs bin/imports.ts [--json]`: checks the imports of the project in the current folder by the rules of its
 * `.dependency-cruiser.mjs`. The files are read once for all rules. It is the check `imports`; exit status 1 if a rule is violated.
 */
import { pathToFileURL } from 'node:url';

import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const CONFIGURATION = './.dependency-cruiser.mjs';
const SOURCES = ['bin', 'lib', 'functions', 'test'];

interface Rule {
  name: string;
  comment: string;
}

/** The rule about what schemas and rules load when they run. */
interface Purity extends Rule {
  from: RegExp;
  to: RegExp;
  notBehind: RegExp;
}

/** A file that violates a rule, the file or package that it must not import, and the files between them. */
interface Violation {
  rule: { name: string };
  from: string;
  to: string;
  via: readonly string[];
}

const { default: configuration, purity } = (await import(pathToFileURL(CONFIGURATION).href)) as {
  default: { forbidden: readonly Rule[] };
  purity: Purity;
};
const { output } = await cruise(SOURCES, await extractOptions(CONFIGURATION), undefined, {
  tsConfig: extractTsConfig('tsconfig.json'),
});
const { modules, summary } = output as ICruiseResult;
const violations: Violation[] = [
  ...summary.violations.map(({ rule: { name }, from, to, cycle, via }) => ({
    rule: { name },
    from,
    to,
    via: (cycle ?? via ?? []).map((each) => each.name).filter((file) => file !== to),
  })),
  ...findImpure(modules, purity),
];

if (process.argv[2] === '--json') {
  console.log(JSON.stringify(violations));
} else {
  const comments = new Map([...configuration.forbidden, purity].map(({ name, comment }) => [name, comment]));
  for (const { rule, from, to, via } of violations) {
    console.log(`${rule.name}: ${[from, ...via, to].join(' → ')}\n  ${comments.get(rule.name) ?? ''}`);
  }
  console.log(`${modules.length} files and packages, ${violations.length} violations.`);
}
process.exitCode = violations.length > 0 ? 1 : 0;

/**
 * Finds what each file of the rule must not load: by its imports and theirs, without `import type`. A type `import('…').Type` counts as
 * an import, because dependency-cruiser lists it instead of an `await import('…')` of the same file.
 */
function findImpure(modules: readonly IModule[], { name, from, to, notBehind }: Purity): Violation[] {
  const loaded = new Map(
    modules.map(({ source, dependencies }) => [
      source,
      notBehind.test(source)
        ? []
        : dependencies
            .filter(({ dependencyTypes }) => !dependencyTypes.includes('type-only'))
            .map(({ resolved }) => resolved),
    ]),
  );
  return [...loaded.keys()]
    .filter((source) => from.test(source))
    .flatMap((source) => {
      const paths = new Map<string, readonly string[]>([[source, []]]);
      for (const [file, path] of paths) {
        for (const next of loaded.get(file) ?? []) if (!paths.has(next)) paths.set(next, [...path, next]);
      }
      return [...paths]
        .filter(([file]) => file !== source && to.test(file))
        .map(([file, path]) => ({ rule: { name }, from: source, to: file, via: path.slice(0, -1) }));
    });
}
