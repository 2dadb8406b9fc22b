import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

import { mapFile } from '../../../lib/stack/bundle.ts';
import type { Profile, Sampled } from './sampling.ts';

/** A row of the table: where time was spent, and how much in ms for each call. */
export interface Share {
  place: string;
  ms: number;
}

/** The time of a profile by package or folder, by file, and by function, each with the largest first. */
export interface Attribution {
  /** CPU time of one call in ms, of all threads of the process. */
  cpuMs: number;
  packages: Share[];
  files: Share[];
  functions: Share[];
}

/** Time in which the process waited. */
const IDLE = '(idle)';

/**
 * Attributes the samples of a profile to places in the sources; bundled code by the source map next to the bundle.
 * @param unsampledMs the CPU time of one call in ms, to which the shares of the samples add up: samples are intervals of real time,
 * in which other programs may have run
 */
export function attribute({ profile, cpuMs }: Sampled, calls: number, unsampledMs = cpuMs / calls): Attribution {
  const maps = new Map<string, SourceMap | undefined>();
  const [packages, files, functions] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const times = selfTimes(profile).filter(({ callFrame }) => callFrame.functionName !== IDLE);
  const sampledMs = times.reduce((sum, { ms }) => sum + ms, 0);
  for (const { callFrame, ms } of times) {
    const file = findFile(callFrame, maps);
    const perCall = (ms / sampledMs) * unsampledMs;
    add(packages, findGroup(file), perCall);
    add(files, file, perCall);
    add(functions, `${callFrame.functionName || '(anonymous)'} ${file}`, perCall);
  }
  return {
    cpuMs: unsampledMs,
    packages: sorted(packages),
    files: sorted(files),
    functions: sorted(functions),
  };
}

const add = (to: Map<string, number>, place: string, ms: number): unknown => to.set(place, (to.get(place) ?? 0) + ms);

const sorted = (times: ReadonlyMap<string, number>): Share[] =>
  [...times].map(([place, ms]) => ({ place, ms })).toSorted((one, other) => other.ms - one.ms);

/** The time in ms during which each function itself ran. */
function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profile) {
  const times = new Map<number, number>();
  for (const [at, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[at + 1] ?? 0) / 1_000);
  return nodes.map(({ id, callFrame }) => ({ callFrame, ms: times.get(id) ?? 0 }));
}

type CallFrame = Profile['nodes'][number]['callFrame'];

/** The source file of a function: a path from the root of the repository, a module of Node, or a part of V8. */
function findFile(
  { functionName, url, lineNumber, columnNumber }: CallFrame,
  maps: Map<string, SourceMap | undefined>,
): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  if (url.startsWith('node:')) return url;
  if (!maps.has(url)) maps.set(url, readMap(url));
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
  const source = entry !== undefined && 'originalSource' in entry ? entry.originalSource : url;
  return source.replace(/^gatehouse-\w+:/, '').replace(/^.*?(?=node_modules\/|functions\/|lib\/|test\/)/, '');
}

/** The source map of a bundle, which is next to its folder; undefined for a source file. */
function readMap(url: string): SourceMap | undefined {
  if (!url.startsWith('file:') || !url.endsWith('.mjs')) return undefined;
  const file = mapFile(fileURLToPath(url));
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload) : undefined;
}

/** Parts of Node's library with one purpose, by the beginning of their names. */
const NODE_PARTS: readonly [pattern: RegExp, part: string][] = [
  [
    /^node:(_http|internal\/http|net|_tls|internal\/net|internal\/url|internal\/stream_base|internal\/dns)/,
    'node: http and sockets',
  ],
  [/^node:(internal\/)?(streams|stream|_stream)/, 'node: streams'],
  [
    /^node:(internal\/)?(events|timers|process\/task_queues|async_hooks|async_local|abort|diagnostics|next)/,
    'node: events and timers',
  ],
  [/^node:(internal\/)?crypto/, 'node: crypto'],
];

/** The package, the folder of this project, or the part of Node that a file belongs to. */
function findGroup(file: string): string {
  const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (name !== undefined) {
    const [, submodule] = /^node_modules\/@(?:smithy|aws-sdk)\/core\/.*?\/submodules\/([^/]+)/.exec(file) ?? [];
    return submodule === undefined ? name : `${name} ${submodule}`;
  }
  const part = NODE_PARTS.find(([pattern]) => pattern.test(file));
  if (part !== undefined) return part[1];
  if (file.startsWith('node:')) return 'node: other';
  const folders = file.split('/').slice(0, -1);
  return folders.length === 0 ? file : folders.slice(0, 3).join('/');
}
