import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

import type { Plugin } from 'esbuild';
import ts from 'typescript';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { APART_NAMESPACE, isApart } from './apart.ts';
import { electroDbLoader } from './electrodb-file.ts';
import { withPureConstants } from './pure-constants.ts';
import { SECTIONS_FILE } from './sections.ts';

const require = createRequire(import.meta.url);
const ELECTRODB = dirname(require.resolve('electrodb'));
const NAMESPACE = 'gatehouse-lean';

/** Tables that are decompressed when a bundle is loaded: the examples of the reference, and the operations of the console. */
const PACKED = /[/\\](?:reference[/\\]examples[/\\](?:recorded|executed)|console[/\\]operation-table)\.json$/;

/** Source code that replaces a package for the files of a folder. */
interface Replacement {
  importer: RegExp;
  contents: string;
}

/**
 * Replacements of packages of which functions use only a part. ElectroDB is a file of its own (see {@link electroDbLoader}). Its model validator, a JSON schema engine, is left out, because each model was validated in tests.
 */
const replacements: Readonly<Record<string, Replacement>> = {
  electrodb: { importer: /[/\\]functions[/\\]/, contents: electroDbLoader },
  // The index of aws-jwt-verify also exports the verifiers of Cognito and of load balancers. It is imported dynamically.
  'aws-jwt-verify': {
    importer: new RegExp(`^${APART_NAMESPACE}:`),
    contents: "export { JwtVerifier } from '../aws-jwt-verify/dist/esm/jwt-verifier.js';",
  },
  jsonschema: {
    importer: /[/\\]electrodb[/\\]src[/\\]/,
    contents: `
      class Validator { addSchema() {} validate() { return { errors: [] }; } }
      Validator.prototype.customFormats = {};
      export { Validator };`,
  },
  // DynamoDB's endpoints need no discovery, and this service never enables it.
  '@aws-sdk/middleware-endpoint-discovery': {
    importer: /[/\\]@aws-sdk[/\\]client-dynamodb[/\\]/,
    contents: `
      export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
        environmentVariableSelector: () => undefined, configFileSelector: () => undefined, default: false,
      };
      export const resolveEndpointDiscoveryConfig = (input) => input;`,
  },
};

/** Zod's generator of JSON schemas, which is left out because the OpenAPI document is made at build time. */
const JSON_SCHEMAS = /[/\\]zod[/\\]v4[/\\]core[/\\](?:to-json-schema|json-schema-processors)\.js$/;

/** The mark of a secret member of a body (`secret` of kernel/values.ts), by which responses to operators are redacted. */
const SECRET_MARK = /\bformat: 'password'/;

/** A module with the same exports, each of which throws an error that it was left out. */
function leftOut(source: string): string {
  const names = [...source.matchAll(/^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \};/gm)];
  return [
    "const leftOut = () => { throw new Error('JSON schemas are not made in a bundle.'); };",
    ...names.map(([, declared, renamed = declared]) => `export { leftOut as ${renamed} };`),
  ].join('\n');
}

/**
 * Classes of SDK clients that are never made here: SHA-256 in JavaScript, for a Node without OpenSSL, and the rate limiter of the
 * retry mode `adaptive`, which no function sets.
 */
const UNUSED_BY_CLIENTS = /[/\\]@smithy[/\\]core[/\\]dist-es[/\\].*[/\\](?:Sha256Js|DefaultRateLimiter)\.js$/;

/** A module with a class that cannot be made. */
const thrower = (name: string): string =>
  `export class ${name} { constructor() { throw new Error('${name} is not in a bundle.'); } }`;

/** The functions that declare operations, whose texts only the OpenAPI document has. */
const DECLARING: ReadonlySet<string> = new Set(['operation', 'listOperation']);
const DESCRIBING: ReadonlySet<string> = new Set(['describe', 'meta']);
const TEXTS: ReadonlySet<string> = new Set(['summary', 'description']);

const isText = (member: ts.ObjectLiteralElementLike): boolean =>
  ts.isPropertyAssignment(member) && ts.isIdentifier(member.name) && TEXTS.has(member.name.text);

/** The length of the comma after a member, with the space before it. */
const measureComma = (source: string, end: number): number => /^\s*,/.exec(source.slice(end))?.[0].length ?? 0;

/**
 * The source without the texts of the OpenAPI document, which is made before functions are bundled: `summary` and `description`
 * of operations, and calls of `describe` and `meta` on schemas, except those that mark secrets.
 */
function withoutTexts(path: string, source: string): string {
  const cuts: [from: number, to: number][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression: called, arguments: given } = node;
      const [first] = given;
      if (ts.isPropertyAccessExpression(called) && DESCRIBING.has(called.name.text) && given.length === 1) {
        if (SECRET_MARK.test(source.slice(called.end, node.end))) return visit(called.expression);
        cuts.push([called.expression.end, node.end]);
        return visit(called.expression);
      }
      if (ts.isIdentifier(called) && DECLARING.has(called.text) && first && ts.isObjectLiteralExpression(first)) {
        const texts = first.properties.filter(isText);
        cuts.push(...texts.map(({ pos, end }): [number, number] => [pos, end + measureComma(source, end)]));
      }
    }
    ts.forEachChild(node, visit);
  };
  if (/\b(?:describe|meta|operation|listOperation)\(/.test(source))
    visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  const ordered = cuts.toSorted(([a], [b]) => b - a);
  let [contents, reached] = [source, source.length];
  for (const [from, to] of ordered) {
    // A range within a range that was removed is skipped.
    if (to > reached) continue;
    contents = contents.slice(0, from) + contents.slice(to);
    reached = from;
  }
  return contents;
}

/** Dynamic imports of another file of this project, except of those that are separate files in a bundle (`apart.ts`). */
const IMPORTED_LATER = /\bawait import\('(\.{1,2}\/[\w./-]+\.ts)'\)/g;

/**
 * The source with imports of the project's own files at its start. A process that runs all areas loads a file when it is first
 * needed. A bundle contains the file in any case, and esbuild keeps all of what is imported dynamically: 140 commands of the
 * clients of SES and SNS instead of two.
 */
function withEarlyImports(file: string, source: string): string {
  if (SECTIONS_FILE.test(file)) return source;
  const heads: string[] = [];
  const contents = source.replaceAll(IMPORTED_LATER, (whole, path: string) => {
    if (isApart(path)) return whole;
    const name = `imported${heads.length}`;
    heads.push(`import * as ${name} from ${JSON.stringify(path)};`);
    return name;
  });
  return [...heads, contents].join(' ');
}

/** The parts of the catalogue that are read when a stage is built. */
interface Catalogue {
  builtInSlugs: readonly string[];
  builtInProvider: (slug: string) => Promise<unknown>;
}

const packed = (text: string): string => brotliCompressSync(text).toString('base64');

/** A module with the interface of `functions/connections/pipes/catalogue/catalogue.ts`. */
const renderCatalogue = (data: string, slugs: readonly string[]): string => `
  import { brotliDecompressSync } from 'node:zlib';
  let providers;
  const all = () =>
    (providers ??= JSON.parse(brotliDecompressSync(Buffer.from('${data}', 'base64')).toString()));
  export const builtInSlugs = ${JSON.stringify(slugs)};
  const slugs = new Set(builtInSlugs);
  export const isBuiltIn = (slug) => slugs.has(slug);
  export const builtInProvider = async (slug) => (slugs.has(slug) ? all()[slug] : undefined);`;

/** A JSON module whose value is decompressed when the bundle is loaded. */
const renderPackedJson = (data: string): string => `
  import { brotliDecompressSync } from 'node:zlib';
  export default JSON.parse(brotliDecompressSync(Buffer.from('${data}', 'base64')).toString());`;

/** A module with the interface of `functions/faces/console/page-index.ts`. */
const renderPageIndex = (data: string): string => `
  import { brotliDecompressSync } from 'node:zlib';
  let index;
  export const readPageIndex = async () =>
    (index ??= JSON.parse(brotliDecompressSync(Buffer.from('${data}', 'base64')).toString()));`;

/** A module with the interface of `functions/faces/reference/guides/read.ts`. */
const renderGuides = (data: string): string => `
  import { brotliDecompressSync } from 'node:zlib';
  export const readGuides = async () =>
    JSON.parse(brotliDecompressSync(Buffer.from('${data}', 'base64')).toString());`;

/**
 * Leaves code out of a bundle that the functions of this project do not need: whole files and packages, and parts of our own files. No text
 * of a package is changed. The KiB that each part saves, minified: ElectroDB in a file of its own 170; in that file its JSON schema
 * engine 28; constants of our own files marked as pure 2 to 300 (a worker without its area's operations); the clients of SES and SNS 96;
 * classes of the SDK that are never made 6; texts of the OpenAPI document 5 to 40; files without side effects 0 to 46; zod's JSON
 * schemas 16; endpoint discovery 8; package versions 4. Without any of them a function exceeds its budget (`test/bench/budgets.ts`).
 */
export const lean: Plugin = {
  name: NAMESPACE,
  setup: (build) => {
    for (const [name, { importer, contents }] of Object.entries(replacements)) {
      const filter = new RegExp(`^${name.replaceAll(/[/-]/g, '\\$&')}$`);
      build.onResolve({ filter }, (request) =>
        importer.test(request.importer) ? { path: name, namespace: NAMESPACE } : undefined,
      );
      build.onLoad({ filter, namespace: NAMESPACE }, () => ({ contents, resolveDir: ELECTRODB, loader: 'js' }));
    }
    // Importing a file of this project has no side effects (words.config.mjs checks it), so unused files are left out.
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, async ({ path, pluginData, resolveDir, importer, kind }) => {
      if (pluginData === NAMESPACE) return undefined;
      const found = await build.resolve(path, { resolveDir, importer, kind, pluginData: NAMESPACE });
      return { path: found.path, errors: found.errors, sideEffects: false };
    });
    build.onLoad({ filter: JSON_SCHEMAS }, async ({ path }) => ({ contents: leftOut(await readFile(path, 'utf8')) }));
    build.onLoad({ filter: UNUSED_BY_CLIENTS }, ({ path }) => ({ contents: thrower(basename(path, '.js')) }));
    // An SDK client only reads its version from its package.json.
    build.onLoad({ filter: /[/\\]@aws-sdk[/\\]client-[\w-]+[/\\]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    build.onLoad({ filter: /[/\\]functions[/\\]openapi\.json$/ }, async ({ path }) => ({
      contents: renderPackedJson(packed(JSON.stringify(JSON.parse(await readFile(path, 'utf8'))))),
      loader: 'js',
    }));
    // The guides of the reference are rendered when a stage is built, so no function contains the Markdown library.
    build.onLoad({ filter: /[/\\]reference[/\\]guides[/\\]read\.ts$/ }, async ({ path }) => {
      const { readGuides } = (await import(pathToFileURL(path).href)) as { readGuides: () => Promise<unknown> };
      return { contents: renderGuides(packed(JSON.stringify(await readGuides()))), loader: 'js' };
    });
    build.onLoad({ filter: PACKED }, async ({ path }) => ({
      contents: renderPackedJson(packed(JSON.stringify(JSON.parse(await readFile(path, 'utf8'))))),
      loader: 'js',
    }));
    // The names of the console's assets contain digests of their content, which is in a separate file.
    build.onLoad({ filter: /[/\\]console[/\\]assets[/\\]names\.ts$/ }, async ({ path }) => {
      const { assetAddresses } = (await import(pathToFileURL(path).href)) as { assetAddresses: () => unknown };
      return { contents: `export const assetAddresses = () => (${JSON.stringify(assetAddresses())});`, loader: 'js' };
    });
    // The index of the console's pages is made of their declarations, which are in separate files.
    build.onLoad({ filter: /[/\\]console[/\\]page-index\.ts$/ }, async ({ path }) => {
      const { readPageIndex } = (await import(pathToFileURL(path).href)) as { readPageIndex: () => Promise<unknown> };
      return { contents: renderPageIndex(packed(JSON.stringify(await readPageIndex()))), loader: 'js' };
    });
    // The providers of pipes are plain data, which is compressed to a tenth and decompressed at the first access.
    build.onLoad({ filter: /[/\\]pipes[/\\]catalogue[/\\]catalogue\.ts$/ }, async ({ path }) => {
      const { builtInProvider, builtInSlugs } = (await import(pathToFileURL(path).href)) as Catalogue;
      const all = await awaitAll(builtInSlugs.map(async (slug) => [slug, await builtInProvider(slug)] as const));
      return { contents: renderCatalogue(packed(JSON.stringify(Object.fromEntries(all))), builtInSlugs), loader: 'js' };
    });
    build.onLoad({ filter: /[/\\]functions[/\\].*\.ts$/ }, async ({ path }) => ({
      contents: withEarlyImports(path, withPureConstants(path, withoutTexts(path, await readFile(path, 'utf8')))),
      loader: 'ts',
    }));
  },
};
