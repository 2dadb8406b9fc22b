import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { build as bundle, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const PREFIX = './apart-';
const NAMESPACE = 'gatehouse-apart-file';
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

/** Writes the dynamically imported packages and files of a bundling into the folders of the functions that import them. */
export async function writeApart(
  packages: Apart,
  { outputs }: Metafile,
  { absWorkingDir = '', ...options }: BuildOptions,
): Promise<void> {
  if (packages.size === 0) return;
  const reexports: Plugin = {
    name: NAMESPACE,
    setup: (build) => {
      build.onResolve({ filter: new RegExp(`^${NAMESPACE}:`) }, ({ path }) => ({ path, namespace: NAMESPACE }));
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(packages.get(path.slice(NAMESPACE.length + 1)))};`,
        resolveDir: absWorkingDir,
        loader: 'js',
      }));
    },
  };
  const { outputFiles } = await bundle({
    ...options,
    absWorkingDir,
    plugins: [reexports, ...(options.plugins ?? [])],
    entryPoints: [...packages.keys()].map((file) => ({ in: `${NAMESPACE}:${file}`, out: basename(file, '.mjs') })),
    outdir: absWorkingDir,
    outExtension: { '.js': '.mjs' },
    write: false,
  });
  const contents = new Map(outputFiles.map((output) => [`./${basename(output.path)}`, output.contents]));
  for (const [file, name] of packages) {
    const users = Object.entries(outputs).filter(([, { imports }]) => imports.some(({ path }) => path === file));
    const content = contents.get(file);
    if (content === undefined) throw new Error(`esbuild wrote nothing for ${name}`);
    await Promise.all(users.map(([path]) => writeFile(join(absWorkingDir, dirname(path), file), content)));
  }
}
