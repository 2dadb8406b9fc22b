import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'esbuild';

import { bundleAll, bundleFolder } from '../../lib/stack/bundle.ts';
import { topology } from '../../lib/topology/index.ts';
import type { FunctionDescription } from '../../lib/topology/model.ts';
import { quantile } from './table.ts';

/** The size of a function's code, and the CPU time of a fresh process for loading it. */
export interface BundleFigures {
  area: string;
  name: string;
  isHttp: boolean;
  kib: number;
  /** CPU time of module init in fresh processes, median, in ms; undefined for workers. */
  initMs?: number;
}

/** All bundles, and the handler with which they are compared. */
export interface AllBundles {
  functions: BundleFigures[];
  /** A handler that only imports the stock DynamoDB client. */
  client: { kib: number; initMs: number };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Bundles functions into a folder as they are deployed, and loads each HTTP function several times. */
export async function measureBundles(folder: string, areas: ReadonlySet<string>, rounds: number): Promise<AllBundles> {
  const functions = topology.functions.filter(({ area }) => areas.has(area));
  const [bundles, clientBytes] = await Promise.all([bundleAll(folder, functions), bundleClient(folder)]);
  const bytes = new Map(bundles.map((one) => [one.name, one.bytes]));
  const clientFile = join(folder, CLIENT);
  const http = functions.filter(({ source }) => source.kind === 'http');
  const files = [clientFile, ...http.map(({ name }) => join(bundleFolder(folder, name), 'index.mjs'))];
  const inits = await measureInits(files, rounds);
  const findInitMs = ({ name }: FunctionDescription) => inits.get(join(bundleFolder(folder, name), 'index.mjs'));
  return {
    functions: functions.map((one) => {
      const initMs = findInitMs(one);
      const kib = (bytes.get(one.name) ?? NaN) / 1_024;
      const isHttp = one.source.kind === 'http';
      return { area: one.area, name: one.name, isHttp, kib, ...(initMs === undefined ? {} : { initMs }) };
    }),
    client: { kib: clientBytes / 1_024, initMs: inits.get(clientFile) ?? NaN },
  };
}

const CLIENT = 'client.mjs';

/**
 * Bundles the handler for the comparison, with the settings of the stack's bundles but without its omissions.
 * @returns bytes
 */
async function bundleClient(folder: string): Promise<number> {
  const contents = `
    import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
    const client = new DynamoDBClient({});
    export const handler = (Key) => client.send(new GetItemCommand({ TableName: 'records', Key }));`;
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'js' },
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    legalComments: 'none',
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error('esbuild wrote nothing for the client alone');
  await writeFile(join(folder, CLIENT), output.contents);
  return output.contents.length;
}

/** Loads each file in fresh processes, in turns, so that other load of the machine affects all files equally. */
async function measureInits(files: readonly string[], rounds: number): Promise<Map<string, number>> {
  const times = new Map<string, number[]>(files.map((file) => [file, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const file of files) times.get(file)?.push(await measureInit(file));
  }
  return new Map([...times].map(([file, all]) => [file, quantile(all, 0.5)]));
}

/**
 * CPU time in ms, user and system together, of a fresh process for one import, which other work of the machine affects less
 * than the duration.
 */
async function measureInit(file: string): Promise<number> {
  const script =
    `const before = process.cpuUsage(); await import(${JSON.stringify(pathToFileURL(file).href)});` +
    'const { user, system } = process.cpuUsage(before);' +
    'process.stdout.write(String((user + system) / 1_000)); process.exit(0);';
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    env: { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
  });
  return Number(stdout);
}
