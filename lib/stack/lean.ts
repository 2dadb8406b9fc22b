import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);
const ELECTRODB = dirname(require.resolve('electrodb'));
const NAMESPACE = 'gatehouse-lean';

/** Source that stands in for a package where files of a folder ask for it. */
interface StandIn {
  importer: RegExp;
  contents: string;
}

/**
 * What stands in for packages of which a function uses a part. ElectroDB is CommonJS, and whatever CommonJS requires is
 * taken whole, with all that hangs on it: every operation of DynamoDB, and half of the SDK's core. So ElectroDB gets an
 * empty object in place of the document client, and what an entity sends is put into it from a module, of which the
 * bundler can leave out the rest. Its model checker, a JSON schema engine, stays at home too: each model was checked
 * when the tests made it.
 */
const standIns: Readonly<Record<string, StandIn>> = {
  electrodb: {
    importer: /[/\\]functions[/\\]/,
    contents: `
      import {
        GetCommand, PutCommand, UpdateCommand, DeleteCommand, QueryCommand, BatchGetCommand, BatchWriteCommand,
      } from '@aws-sdk/lib-dynamodb';
      import { unmarshall } from '@aws-sdk/util-dynamodb';
      import sent from '${NAMESPACE}:sent';
      Object.assign(sent, {
        GetCommand, PutCommand, UpdateCommand, DeleteCommand, QueryCommand, BatchGetCommand, BatchWriteCommand, unmarshall,
      });
      export { Entity } from './src/entity.js';`,
  },
  '@aws-sdk/lib-dynamodb': {
    importer: /[/\\]electrodb[/\\]src[/\\]/,
    contents: `module.exports = require('${NAMESPACE}:sent');`,
  },
  '@aws-sdk/util-dynamodb': {
    importer: /[/\\]electrodb[/\\]src[/\\]/,
    contents: `module.exports = require('${NAMESPACE}:sent');`,
  },
  [`${NAMESPACE}:sent`]: { importer: /^/, contents: 'module.exports = {};' },
  jsonschema: {
    importer: /[/\\]electrodb[/\\]src[/\\]/,
    contents: `
      class Validator { addSchema() {} validate() { return { errors: [] }; } }
      Validator.prototype.customFormats = {};
      module.exports = { Validator };`,
  },
  // DynamoDB's endpoints need no discovery; nothing turns it on.
  '@aws-sdk/middleware-endpoint-discovery': {
    importer: /[/\\]@aws-sdk[/\\]client-dynamodb[/\\]/,
    contents: `
      export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
        environmentVariableSelector: () => undefined, configFileSelector: () => undefined, default: false,
      };
      export const resolveEndpointDiscoveryConfig = (input) => input;`,
  },
};

/** What Zod makes JSON schemas with: the OpenAPI document is made at home. */
const JSON_SCHEMAS = /[/\\]zod[/\\]v4[/\\]core[/\\](?:to-json-schema|json-schema-processors)\.js$/;

/** A module of the same exports, each of which says that it was left out. */
function leftOut(source: string): string {
  const names = [...source.matchAll(/^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \};/gm)];
  return [
    "const leftOut = () => { throw new Error('JSON schemas are not made in a bundle.'); };",
    ...names.map(([, declared, renamed = declared]) => `export { leftOut as ${renamed} };`),
  ].join('\n');
}

/** The exports of a handler: building an entry has no side effects, so a worker leaves its area's operations behind. */
const ENTRY = /^export const \w+ = (?=\w+[(<])/gm;

/** What is read of the catalogue when a stage is built. */
interface Catalogue {
  builtInSlugs: readonly string[];
  builtInProvider: (slug: string) => Promise<unknown>;
}

const packed = (text: string): string => brotliCompressSync(text).toString('base64');

/** A module that answers as `functions/pipes/catalogue/catalogue.ts` does. */
const catalogueOf = (data: string, slugs: readonly string[]): string => `
  import { brotliDecompressSync } from 'node:zlib';
  let providers;
  const all = () =>
    (providers ??= JSON.parse(brotliDecompressSync(Buffer.from('${data}', 'base64')).toString()));
  export const builtInSlugs = ${JSON.stringify(slugs)};
  const slugs = new Set(builtInSlugs);
  export const isBuiltIn = (slug) => slugs.has(slug);
  export const builtInProvider = async (slug) => (slugs.has(slug) ? all()[slug] : undefined);`;

/** Leaves out of a bundle what no function can reach. */
export const lean: Plugin = {
  name: NAMESPACE,
  setup: (build) => {
    for (const [name, { importer, contents }] of Object.entries(standIns)) {
      const filter = new RegExp(`^${name.replaceAll(/[/-]/g, '\\$&')}$`);
      build.onResolve({ filter }, (request) =>
        importer.test(request.importer) ? { path: name, namespace: NAMESPACE } : undefined,
      );
      build.onLoad({ filter, namespace: NAMESPACE }, () => ({ contents, resolveDir: ELECTRODB, loader: 'js' }));
    }
    // Importing a file of this project has no side effects (design.md section 4), so what is not used is not taken.
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, async ({ path, pluginData, resolveDir, importer, kind }) => {
      if (pluginData === NAMESPACE) return undefined;
      const found = await build.resolve(path, { resolveDir, importer, kind, pluginData: NAMESPACE });
      return { path: found.path, errors: found.errors, sideEffects: false };
    });
    build.onLoad({ filter: JSON_SCHEMAS }, async ({ path }) => ({ contents: leftOut(await readFile(path, 'utf8')) }));
    // An SDK client tells its version and nothing else of its package.
    build.onLoad({ filter: /[/\\]@aws-sdk[/\\]client-[\w-]+[/\\]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    build.onLoad({ filter: /[/\\]functions[/\\]openapi\.json$/ }, async ({ path }) => {
      const contents = `
        import { brotliDecompressSync } from 'node:zlib';
        export default JSON.parse(brotliDecompressSync(Buffer.from('${packed(JSON.stringify(JSON.parse(await readFile(path, 'utf8'))))}', 'base64')).toString());`;
      return { contents, loader: 'js' };
    });
    // The providers of pipes are plain data: packed, they are a tenth, and unpacked when one is first asked for.
    build.onLoad({ filter: /[/\\]pipes[/\\]catalogue[/\\]catalogue\.ts$/ }, async ({ path }) => {
      const { builtInProvider, builtInSlugs } = (await import(pathToFileURL(path).href)) as Catalogue;
      const all = await Promise.all(builtInSlugs.map(async (slug) => [slug, await builtInProvider(slug)] as const));
      return { contents: catalogueOf(packed(JSON.stringify(Object.fromEntries(all))), builtInSlugs), loader: 'js' };
    });
    build.onLoad({ filter: /[/\\]functions[/\\][^/\\]+[/\\]handler\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replaceAll(ENTRY, '$&/* @__PURE__ */ '), loader: 'ts' };
    });
  },
};
