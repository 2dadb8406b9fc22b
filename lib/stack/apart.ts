import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { build as bundle, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const PREFIX = './apart-';
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
      const name = makeFileName(place.replace(/(\/apart)?\.ts$/, ''));
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

/** A file that is written apart: its content, and those that it loads on demand itself. */
interface ApartFile {
  contents: Uint8Array;
  loads: readonly string[];
}

async function bundleApart(packages: Apart, name: string, options: BuildOptions): Promise<ApartFile> {
  const { outputFiles, metafile } = await bundle({
    ...options,
    plugins: [apart(packages), ...(options.plugins ?? [])],
    stdin: {
      contents: `export * from ${JSON.stringify(name)};`,
      resolveDir: options.absWorkingDir ?? '',
      loader: 'js',
    },
    write: false,
    metafile: true,
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild wrote nothing for ${name}`);
  const loads = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return { contents: output.contents, loads };
}

/**
 * Writes the dynamically imported packages and files of a bundling into the folders of the functions that import them, also
 * those that such a file imports in turn, as the page of an error does with the texts of a language.
 */
export async function writeApart(packages: Apart, { outputs }: Metafile, options: BuildOptions): Promise<void> {
  const files = new Map<string, ApartFile>();
  // The bundling of a file may add others to the map, which this loop visits too.
  for (const [file, name] of packages) files.set(file, await bundleApart(packages, name, options));
  const listFiles = (paths: readonly string[]): string[] => paths.filter((path) => files.has(path));
  for (const [path, { imports }] of Object.entries(outputs)) {
    const loaded = new Set(listFiles(imports.map((one) => one.path)));
    // This loop also visits the files that it adds to the set.
    for (const file of loaded) listFiles(files.get(file)?.loads ?? []).forEach((further) => loaded.add(further));
    const folder = join(options.absWorkingDir ?? '', dirname(path));
    await Promise.all([...loaded].map((file) => writeFile(join(folder, file), files.get(file)?.contents ?? '')));
  }
}
