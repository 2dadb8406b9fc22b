import type { Area, Need, Worker } from '../../functions/kernel/area.ts';
import { listSpellings } from '../../functions/kernel/compatibility.ts';
import type { Operation } from '../../functions/kernel/operation.ts';
import { areas } from '../../functions/registry.ts';
import { type AccessTable, readPermissions } from './access.ts';
import derived from './access.json' with { type: 'json' };
import type { FunctionDescription, Topology } from './model.ts';
import {
  buckets,
  commonVariables,
  httpVariables,
  ownApiVariables,
  pageVariables,
  queues,
  signingKeys,
  tables,
  throttle,
  variablesOfNeed,
} from './resources.ts';

/** Derives the system from areas. @param access what their functions write and decrypt */
export function makeTopology(areas: readonly Area[], access: AccessTable = derived): Topology {
  return {
    tables,
    queues,
    buckets,
    signingKeys,
    throttle,
    functions: areas.flatMap((area) => [
      ...(area.operations.length > 0 ? [httpFunction(area, access)] : []),
      ...area.workers.map((worker) => workerFunction(area, worker, access)),
    ]),
  };
}

/** The whole system, derived from the registry of areas. */
export const topology: Topology = makeTopology(areas);

function httpFunction(area: Area, access: AccessTable): FunctionDescription {
  const name = `${area.name}-http`;
  return {
    name,
    area: area.name,
    entry: { file: `functions/${area.group}/${area.name}/handler.ts`, export: 'http' },
    summary: area.summary,
    source: {
      kind: 'http',
      paths: [...new Set(area.operations.flatMap(listPaths))],
      ...(area.respondsToUnknownPaths === true ? { respondsToUnknownPaths: true } : {}),
      ...(area.ownApi !== undefined
        ? { ownRoutes: area.operations.map(({ method, ...each }) => ({ method, path: writeRoute(each) })) }
        : {}),
    },
    needs: area.needs,
    permissions: readPermissions(name, access),
    variables: [
      ...(area.ownApi !== undefined ? ownApiVariables : httpVariables),
      ...(area.needs.includes('base-url') ? pageVariables : []),
      ...variablesFor(area.needs),
    ].sort(),
    timeoutSeconds: 29,
    memoryMb: 1_024,
  };
}

/** The spellings of an operation's path; `{name+}` is a parameter whose values may contain slashes. */
function listPaths(operation: Operation): string[] {
  return listSpellings(writeRoute(operation));
}

function writeRoute({ path, freeText }: Pick<Operation, 'path' | 'freeText'>): string {
  return freeText === undefined ? path : path.replace(`{${freeText}}`, `{${freeText}+}`);
}

function workerFunction(area: Area, worker: Worker, access: AccessTable): FunctionDescription {
  const name = `${area.name}-${kebabCase(worker.name)}`;
  return {
    name,
    area: area.name,
    entry: { file: `functions/${area.group}/${area.name}/handler.ts`, export: worker.name },
    summary: worker.summary,
    source: worker.on,
    needs: worker.needs,
    permissions: readPermissions(name, access),
    variables: variablesFor(worker.needs),
    timeoutSeconds: worker.timeoutSeconds ?? 30,
    memoryMb: worker.memoryMb ?? 512,
    ...(worker.concurrency === undefined ? {} : { concurrency: worker.concurrency }),
  };
}

/** Converts `verifyDomains` to `verify-domains`. */
function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function variablesFor(needs: readonly Need[]): string[] {
  return [...new Set([...commonVariables, ...needs.flatMap((need) => variablesOfNeed[need])])].sort();
}
