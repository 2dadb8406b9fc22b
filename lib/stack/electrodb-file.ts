import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import { build, type BuildOptions } from 'esbuild';

/** The file with ElectroDB next to a function's code. */
export const ELECTRODB_FILE = './apart-electrodb.cjs';
/** The module of a bundle that loads it, as esbuild names it among the inputs of an output. */
export const ELECTRODB_INPUT = 'gatehouse-lean:electrodb';

/** The commands of DynamoDB that entities send. Its file has them from the bundle, as it has the conversion of values. */
const COMMANDS = [
  'GetCommand',
  'PutCommand',
  'UpdateCommand',
  'DeleteCommand',
  'QueryCommand',
  'BatchGetCommand',
  'BatchWriteCommand',
];
const SHARED: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/lib-dynamodb': COMMANDS,
  '@aws-sdk/util-dynamodb': ['unmarshall'],
};
const shared = Object.values(SHARED).flat();

/**
 * A module with the interface of ElectroDB that loads {@link ELECTRODB_FILE} when the first entity is built. The keys and rows of most
 * records are made without an entity (`functions/kernel/storage/row-format.ts`), and reading 170 KiB is a fifth of a cold start.
 */
export const electroDbLoader = [
  "import { createRequire } from 'node:module';",
  ...Object.entries(SHARED).map(([name, members]) => `import { ${members.join(', ')} } from '${name}';`),
  'let loaded;',
  `const load = () => (loaded ??= createRequire(import.meta.url)('${ELECTRODB_FILE}')({ ${shared.join(', ')} }));`,
  'export class Entity { constructor(...given) { return new (load().Entity)(...given); } }',
].join('\n');

/** Bundles ElectroDB as a function that takes what it shares with the bundle. @returns the content of its file */
export async function bundleElectroDb(options: BuildOptions): Promise<Uint8Array> {
  const folder = dirname(createRequire(import.meta.url).resolve('electrodb'));
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: "export { Entity } from './src/entity.js';", resolveDir: folder, loader: 'js' },
    format: 'cjs',
    write: false,
    banner: { js: 'module.exports=(given)=>{const module={exports:{}};' },
    footer: { js: 'return module.exports};' },
    plugins: [
      {
        name: 'gatehouse-electrodb-shared',
        setup: (setup) => {
          setup.onResolve({ filter: /^@aws-sdk\/(?:lib|util)-dynamodb$/ }, ({ path }) => ({
            path,
            namespace: 'given',
          }));
          setup.onLoad({ filter: /^/, namespace: 'given' }, ({ path }) => ({
            contents: (SHARED[path] ?? []).map((name) => `export const ${name} = given.${name};`).join('\n'),
          }));
        },
      },
      ...(options.plugins ?? []),
    ],
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error('esbuild wrote nothing for ElectroDB');
  return output.contents;
}
