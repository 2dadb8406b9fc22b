import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { build as bundle, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { withoutGroup } from '../topology/places.ts';

const PREFIX = './apart-';
/** The namespace of the modules that re-export a package or a file for a file of its own. */
export const APART_NAMESPACE = 'gatehouse-apart-file';
const makeFileName = (name: string): string => `${PREFIX}${name.replaceAll(/[@/]/g, '-')}.mjs`;

/** Packages and files that are imported dynamically, by the file that is written for each. */
export type Apart = Map<string, string>;

/**
 * Reports whether a dynamic import names a file of this project that is written as a separate file: `apart.ts`, or the texts
 * in one language, which are named by its tag (`de.ts`, `pt-BR.ts`).
 */
export const isApart = (path: string): boolean => /\/(apart|[a-z]{2}(-[A-Z]{2})?)\.ts$/.test(path);

/**
 * Makes a package that code imports when it needs it (`await import('liquidjs')`) a separate file in the function's folder,
 * and likewise some files of this project ({@link isApart}) with all that they import. A function that never needs it never reads it,
 * and its size does not slow down the cold start. Such a file has its own copy of what it shares with the function, so it
 * must keep no state, and its classes are not those of the function.
 */
export const apart = (packages: Apart): Plugin => ({
  name: 'gatehouse-apart',
  setup: (build) => {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import' || !isApart(path)) return undefined;
      const file = join(resolveDir, path);
      const place = relative(join(build.initialOptions.absWorkingDir ?? '', 'functions'), file);
      const name = makeFileName(withoutGroup(place).replace(/(\/apart)?\.ts$/, ''));
      packages.set(name, file);
      return { path: name, external: true };
    });
    build.onResolve({ filter: /^[a-z@]/ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined;
      packages.set(makeFileName(path), path);
      return { path: makeFileName(path), external: true };
    });
  },
});

type Output = Metafile['outputs'][string];

/** A separate file: its content, and the files that it loads on demand itself. */
interface ApartFile {
  content: Uint8Array;
  loads: readonly string[];
}

/** A file that is made otherwise, for each output that contains the module which loads it. */
interface Companion {
  input: string;
  file: string;
  content: Uint8Array;
}

/** Bundles some of the dynamically imported packages and files. What they import dynamically is added to `packages`. */
async function bundleApart(
  packages: Apart,
  names: readonly string[],
  options: BuildOptions,
  listLoads: (output: Output) => string[],
) {
  const { absWorkingDir = '' } = options;
  const reexports: Plugin = {
    name: APART_NAMESPACE,
    setup: (build) => {
      build.onResolve({ filter: new RegExp(`^${APART_NAMESPACE}:`) }, ({ path }) => ({
        path,
        namespace: APART_NAMESPACE,
      }));
      build.onLoad({ filter: /.*/, namespace: APART_NAMESPACE }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(packages.get(path.slice(APART_NAMESPACE.length + 1)))};`,
        resolveDir: absWorkingDir,
        loader: 'js',
      }));
    },
  };
  const { outputFiles, metafile } = await bundle({
    ...options,
    plugins: [reexports, apart(packages), ...(options.plugins ?? [])],
    entryPoints: names.map((file) => ({ in: `${APART_NAMESPACE}:${file}`, out: basename(file, '.mjs') })),
    outdir: absWorkingDir,
    outExtension: { '.js': '.mjs' },
    write: false,
    metafile: true,
  });
  const loads = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), listLoads(output)]));
  return outputFiles.map(({ path, contents }): [string, ApartFile] => {
    const name = basename(path);
    return [`./${name}`, { content: contents, loads: loads.get(name) ?? [] }];
  });
}

/**
 * Writes the dynamically imported packages and files of a bundling into the folders of the functions that import them. A
 * file that such a file imports on demand is included: the page of an error imports the texts of a language.
 * @param companion a file that code loads without an import
 */
export async function writeApart(
  packages: Apart,
  { outputs }: Metafile,
  options: BuildOptions,
  companion: Companion,
): Promise<void> {
  const files = new Map<string, ApartFile>([[companion.file, { content: companion.content, loads: [] }]]);
  const listLoads = ({ imports, inputs }: Output): string[] => [
    ...imports.map(({ path }) => path),
    ...(companion.input in inputs ? [companion.file] : []),
  ];
  for (
    let names = [...packages.keys()];
    names.length > 0;
    names = [...packages.keys()].filter((one) => !files.has(one))
  ) {
    for (const [file, written] of await bundleApart(packages, names, options, listLoads)) files.set(file, written);
    const missing = names.filter((name) => !files.has(name));
    if (missing.length > 0) throw new Error(`esbuild wrote nothing for ${missing.join(', ')}`);
  }
  const listFiles = (paths: readonly string[]): string[] => paths.filter((path) => files.has(path));
  for (const [path, output] of Object.entries(outputs)) {
    const loaded = new Set(listFiles(listLoads(output)));
    // This loop also visits the files that it adds to the set.
    for (const file of loaded) listFiles(files.get(file)?.loads ?? []).forEach((further) => loaded.add(further));
    const folder = join(options.absWorkingDir ?? '', dirname(path));
    await awaitAll([...loaded].map((file) => writeFile(join(folder, file), files.get(file)?.content ?? '')));
  }
}
