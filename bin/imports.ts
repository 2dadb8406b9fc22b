/**
 * `node bin/run.mjs bin/imports.ts [--json]`: checks the imports of the project in the current folder by the rules of its
 * `.dependency-cruiser.mjs`. The files are read once for all rules. It is the check `imports`; exit status 1 if a rule is violated.
 */
import { pathToFileURL } from 'node:url';

import { cruise, format, type ICruiseResult, type IModule } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const CONFIGURATION = './.dependency-cruiser.mjs';
const SOURCES = ['bin', 'lib', 'functions', 'test'];

/** The rule about what schemas and rules load when they run. */
interface Purity {
  name: string;
  comment: string;
  from: RegExp;
  to: RegExp;
  notBehind: RegExp;
}

/** A forbidden file that a file loads, and the files between them. */
interface Violation {
  rule: { name: string };
  from: string;
  to: string;
  via: readonly string[];
}

const { purity } = (await import(pathToFileURL(CONFIGURATION).href)) as { purity: Purity };
const { output } = await cruise(SOURCES, await extractOptions(CONFIGURATION), undefined, {
  tsConfig: extractTsConfig('tsconfig.json'),
});
const result = output as ICruiseResult;
const impure = findImpure(result.modules, purity);

if (process.argv[2] === '--json') {
  console.log(JSON.stringify([...result.summary.violations, ...impure]));
} else {
  const report = await format(result, { outputType: 'err' });
  if (result.summary.error > 0 || impure.length === 0) console.log(report.output);
  for (const { from, to, via } of impure) {
    console.log(`  error ${purity.name}: ${from} → ${to}\n    ${[...via, to].join(' →\n    ')}\n  ${purity.comment}`);
  }
}
process.exitCode = result.summary.error > 0 || impure.length > 0 ? 1 : 0;

/** Finds what each file of the rule must not load: by its imports and theirs, without those that only import types. */
function findImpure(modules: readonly IModule[], { name, from, to, notBehind }: Purity): Violation[] {
  const loaded = new Map(
    modules.map(({ source, dependencies }) => [
      source,
      notBehind.test(source)
        ? []
        : dependencies
            .filter(({ dependencyTypes }) => !dependencyTypes.some((type) => type === 'type-only' || type === 'type-import'))
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
