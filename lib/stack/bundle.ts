import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build as bundle, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { topology } from '../topology/index.ts';
import type { FunctionDescription } from '../topology/model.ts';
import { type Apart, apart, writeApart } from './apart.ts';
import { builtins } from './builtins.ts';
import { bundleElectroDb, ELECTRODB_FILE, ELECTRODB_INPUT } from './electrodb-file.ts';
import { beforeTrafficFunction } from './before-traffic-function.ts';
import { edgeDigestsFunction } from './edge-digests-function.ts';
import { firstKeyFunction } from './first-key-function.ts';
import { lean } from './lean.ts';
import { hasSections, measureInit, sections } from './sections.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NAMESPACE = 'gatehouse-entry';

/** A function's code as it is deployed. */
export interface Bundle {
  /** The function's name in the topology. */
  name: string;
  /** Minified size of `index.mjs`, and of what is loaded with it. */
  bytes: number;
}

export type Bundled = Pick<FunctionDescription, 'name' | 'entry'>;

/** All functions of a stage: those of the topology and those that only run during a deployment. */
export const deployedFunctions: readonly Bundled[] = [
  ...topology.functions,
  firstKeyFunction,
  edgeDigestsFunction,
  beforeTrafficFunction,
];

/** The options of all bundles. */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  treeShaking: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  // Packages offer CommonJS to Node; only their ES modules support tree shaking.
  conditions: ['module'],
  legalComments: 'none',
  alias: { '@aws-sdk/credential-provider-node': fileURLToPath(new URL('lambda-credentials.ts', import.meta.url)) },
  logLevel: 'error',
} as const satisfies BuildOptions;

/** The options of files next to the bundles. */
const leanOptions: BuildOptions = { ...common, plugins: [builtins, lean] };

/**
 * Bundles every function in one esbuild run: `<outDir>/<function>/index.mjs` with the one export `handler`, so that a worker
 * does not contain the operations of its area. A function with sections (`sections.ts`) has a run of its own, whose files are in
 * its folder only. The same folder has the packages that the function loads only when it needs them (`apart.ts`). Source maps are outside the folders, so they are not deployed.
 * @param options `sourceMaps: false` leaves the source maps out, which take a third of the time.
 * @throws esbuild's BuildFailure when a handler does not resolve.
 */
export async function bundleAll(
  outDir: string,
  functions: readonly Bundled[] = deployedFunctions,
  { sourceMaps = true }: { sourceMaps?: boolean } = {},
): Promise<Bundle[]> {
  const [split, whole] = partition(functions);
  const runs = await awaitAll([
    bundleRun(outDir, whole, sourceMaps, {}),
    ...split.map((one) => {
      const files = { splitting: true, chunkNames: `${one.name}/[name]-[hash]` };
      return bundleRun(outDir, [one], sourceMaps, files, [sections(one.entry)]);
    }),
  ]);
  const sizes = new Map(runs.flat().map(({ name, bytes }) => [name, bytes]));
  return functions.map(({ name }) => ({ name, bytes: sizes.get(name) ?? NaN }));
}

/** The functions that are split into sections, and the others. */
const partition = (functions: readonly Bundled[]): [split: Bundled[], whole: Bundled[]] => [
  functions.filter(({ entry }) => hasSections(root, entry)),
  functions.filter(({ entry }) => !hasSections(root, entry)),
];

/** Bundles some functions in one esbuild run. */
async function bundleRun(
  outDir: string,
  functions: readonly Bundled[],
  sourceMaps: boolean,
  files: BuildOptions,
  plugins: Plugin[] = [],
): Promise<Bundle[]> {
  if (functions.length === 0) return [];
  const packages: Apart = new Map();
  const { metafile, outputFiles } = await bundle({
    ...common,
    ...files,
    entryPoints: Object.fromEntries(functions.map(({ name }) => [`${name}/index`, `${NAMESPACE}:${name}`])),
    outdir: outDir,
    write: false,
    metafile: true,
    sourcemap: sourceMaps ? 'external' : false,
    outExtension: { '.js': '.mjs' },
    plugins: [entries(functions), ...plugins, builtins, apart(packages), lean],
  });
  await awaitAll(
    outputFiles.map(async ({ path, contents }) => {
      const target = path.endsWith('.map') ? mapFile(path.slice(0, -'.map'.length)) : path;
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, contents);
    }),
  );
  const electroDb = { input: ELECTRODB_INPUT, file: ELECTRODB_FILE, content: await bundleElectroDb(leanOptions) };
  await writeApart(packages, metafile, leanOptions, electroDb);
  return functions.map(({ name }) => ({ name, bytes: measureSize(metafile, name) }));
}

/** The source map of a file of a bundle, which is next to the folder: `<function>.map`, or that of a section `<function>.<file>.map`. */
export const mapFile = (file: string): string =>
  file.endsWith(`${sep}index.mjs`) ? `${dirname(file)}.map` : `${dirname(file)}.${basename(file, '.mjs')}.map`;

/** The folder of a function's code below the folder of {@link bundleAll}. */
export const bundleFolder = (outDir: string, name: string): string => join(outDir, name);

function measureSize(metafile: Metafile, name: string): number {
  const first = Object.keys(metafile.outputs).find((path) => path.endsWith(`${name}/index.mjs`));
  if (first === undefined) throw new Error(`esbuild wrote nothing for ${name}`);
  return measureInit(metafile, first);
}

/** Entry points that only exist in memory: each exports one export of an area's handler as the Lambda entry. */
function entries(functions: readonly Bundled[]): Plugin {
  const byName = new Map(functions.map(({ name, entry }) => [name, entry]));
  return {
    name: NAMESPACE,
    setup: (build) => {
      const filter = new RegExp(`^${NAMESPACE}:`);
      build.onResolve({ filter }, ({ path }) => ({ path: path.replace(filter, ''), namespace: NAMESPACE }));
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
        const entry = byName.get(path);
        if (entry === undefined) return { errors: [{ text: `no function is called ${path}` }] };
        const source = `export { ${entry.export} as handler } from ${JSON.stringify(`./${entry.file}`)};`;
        return { contents: source, resolveDir: root, loader: 'ts' };
      });
    },
  };
}
