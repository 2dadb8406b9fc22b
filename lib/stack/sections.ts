import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Metafile, Plugin } from 'esbuild';

const NAMESPACE = 'gatehouse-section';

/** A file whose dynamic imports are the sections of its area. */
export const SECTIONS_FILE = /[/\\]sections\.ts$/;

/** The entry of a function in the source. */
interface Entry {
  file: string;
  export: string;
}

/** The part of a function's files that is loaded with its first one: the paths of outputs that `import` reaches. */
function listInit({ outputs }: Metafile, first: string): Set<string> {
  const reached = new Set([first]);
  // This loop also visits the files that it adds to the set.
  for (const path of reached) {
    const imports = outputs[path]?.imports ?? [];
    imports
      .filter(({ kind, external = false }) => kind === 'import-statement' && !external)
      .forEach((each) => reached.add(each.path));
  }
  return reached;
}

/** Minified bytes that are loaded with a file of a bundling. */
export const measureInit = (metafile: Metafile, first: string): number =>
  [...listInit(metafile, first)].reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0);

/** Reports whether a function loads parts of its code on demand: that of the HTTP operations of an area with a file `sections.ts`. */
export const hasSections = (root: string, entry: Entry): boolean =>
  entry.export === 'http' && existsSync(join(root, dirname(entry.file), 'sections.ts'));

/**
 * Makes each dynamic import of a file `sections.ts` a separate file, which shares its modules with the function, so that classes and
 * state are the same. Each section names the entry of the function: so every section reaches all that the function reaches, and
 * esbuild, which makes a file for each set of modules that the same entries reach, keeps those together in one file.
 * @param entry the entry of the function
 */
export const sections = (entry: Entry): Plugin => ({
  name: NAMESPACE,
  setup: (build) => {
    const root = build.initialOptions.absWorkingDir ?? '';
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path, importer, resolveDir }) =>
      kind === 'dynamic-import' && SECTIONS_FILE.test(importer)
        ? { path: join(resolveDir, path), namespace: NAMESPACE }
        : undefined,
    );
    build.onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }) => ({
      contents: [
        `export * from ${JSON.stringify(path)};`,
        `export { ${entry.export} as entry } from ${JSON.stringify(join(root, entry.file))};`,
      ].join('\n'),
      resolveDir: root,
      loader: 'ts',
    }));
  },
});
