/**
 * The process that the bench forks for one area: it calls the area's Lambda handler, bundled as it is deployed, in this
 * process, against the engines of the running service, and reports over IPC the CPU time of each case and that of the bare
 * DynamoDB client.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';

import type { HttpHandler } from '../../functions/kernel/http/entry.ts';
import { bundleFolder } from '../../lib/stack/bundle.ts';
import { connect } from '../support/connection.ts';
import { makeEvent } from '../kernel/http/calls.ts';
import { caseFiles } from './cases/index.ts';
import type { Case, Next } from './case.ts';
import { recordApiCalls } from './api-calls.ts';
import { quantile } from './table.ts';

/** CPU time of one call in ms, user and system together, median over batches. */
export interface CpuFigures {
  handlerMs: number;
  /** The p99 of single calls of the handler: CPU time in ms, which other load changes little, and elapsed time with the engines. */
  p99: Sample;
  /**
   * CPU time of the bare client (a strongly consistent GetItem for a read, a transaction of three puts for a mutation), or
   * of the baseline that the case names.
   */
  clientMs: number;
  /** CPU time of the same calls of the API by Node's own client without the function, for a case that calls the API. */
  apiCallsMs?: number;
}

/** The results of all cases of an area, by name. */
export type AreaCpu = Record<string, CpuFigures>;

/** The cost of one call, in ms. */
export interface Sample {
  cpuMs: number;
  elapsedMs: number;
}

/** The number of measured calls. */
export interface Effort {
  warmUp: number;
  batches: number;
  batchSize: number;
}

type Work = () => Promise<unknown>;

/** The maximum requests of a case. */
const makeRequests = ({ warmUp, batches, batchSize }: Effort): number => warmUp + batches * batchSize;

/** The effort for which a case has enough requests, a third of them to warm up. */
function affordable(effort: Effort, most = Infinity): Effort {
  if (makeRequests(effort) <= most) return effort;
  const warmUp = Math.floor(most / 3);
  return { ...effort, warmUp, batches: Math.floor((most - warmUp) / effort.batchSize) };
}

/**
 * Runs all in turns, so that other work of the machine affects them alike. It ends early when one has no more requests.
 */
async function alternate(handler: Work, client: Work, apiCalls: Work | undefined, effort: Effort): Promise<CpuFigures> {
  await batch(handler, effort.warmUp);
  await batch(client, effort.warmUp);
  const bare = apiCalls === undefined ? undefined : await recordApiCalls(apiCalls);
  if (bare !== undefined) await batch(bare, effort.warmUp);
  const figures: { handler: number; client: number; apiCalls: number }[] = [];
  const samples: Sample[] = [];
  for (let at = 0; at < effort.batches; at += 1) {
    const cost = await batch(handler, effort.batchSize, samples);
    if (cost === undefined) break;
    const ofClient = (await batch(client, effort.batchSize)) ?? NaN;
    figures.push({
      handler: cost,
      client: ofClient,
      apiCalls: bare === undefined ? 0 : ((await batch(bare, effort.batchSize)) ?? NaN),
    });
  }
  return {
    handlerMs: quantile(
      figures.map((figure) => figure.handler),
      0.5,
    ),
    clientMs: quantile(
      figures.map((figure) => figure.client),
      0.5,
    ),
    ...(bare !== undefined && {
      apiCallsMs: quantile(
        figures.map((figure) => figure.apiCalls),
        0.5,
      ),
    }),
    p99: {
      cpuMs: quantile(
        samples.map(({ cpuMs }) => cpuMs),
        0.99,
      ),
      elapsedMs: quantile(
        samples.map(({ elapsedMs }) => elapsedMs),
        0.99,
      ),
    },
  };
}

/** CPU time of this process since a reading of it, in milliseconds. */
function readCpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/**
 * CPU time in ms of one call, measured over a batch; undefined when the work ran out of requests.
 * @param samples gets the figures of each call
 */
async function batch(work: Work, size: number, samples?: Sample[]): Promise<number | undefined> {
  const before = process.cpuUsage();
  for (let at = 0; at < size; at += 1) {
    const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
    if ((await work()) === 'none left') return undefined;
    samples?.push({ cpuMs: readCpuMs(cpu), elapsedMs: performance.now() - startedAt });
  }
  return readCpuMs(before) / size;
}

/** Maximum number of calls that a busy machine may time out before a case is given up. */
const MOST_UNAVAILABLE = 5;

/** Imports the handler of a bundled function, as Lambda does. */
export async function loadHandler(folder: string, name: string): Promise<HttpHandler> {
  const { href } = pathToFileURL(join(bundleFolder(folder, name), 'index.mjs'));
  return ((await import(href)) as { handler: HttpHandler }).handler;
}

/** Calls the handler as Lambda would. @throws Error for an unexpected status */
export function handlerWork(handler: HttpHandler, next: Next, apiKey: string): Work {
  let unavailable = 0;
  return async () => {
    const request = next();
    if (request === undefined) return 'none left';
    const { method, path, body, headers = {}, key = apiKey, status } = request;
    const event = makeEvent(method, path, {
      headers: {
        ...headers,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const result = await handler(event, {} as Context);
    if (result.statusCode === 503) unavailable += 1;
    if (result.statusCode === status || (result.statusCode === 503 && unavailable <= MOST_UNAVAILABLE))
      return undefined;
    throw new Error(`${method} ${path} responded ${result.statusCode}: ${result.body}`);
  };
}

const TEXT = 'x'.repeat(120);
const item = (sk: string) => ({
  pk: { S: 'bench' },
  sk: { S: sk },
  ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { S: TEXT }])),
});

/** The baseline of a case: the work that it names, or that of the stock client for the calls that a read, or a mutation, must make at least. */
export async function clientWork({ kind, concurrently }: Pick<Case, 'kind' | 'concurrently'>): Promise<Work> {
  if (concurrently !== undefined) return concurrently;
  const client = new DynamoDBClient({});
  const TableName = process.env.GATEHOUSE_TABLE ?? '';
  await client.send(new PutItemCommand({ TableName, Item: item('read') }));
  if (kind !== 'mutation') {
    const Key = { pk: { S: 'bench' }, sk: { S: 'read' } };
    return () => client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
  }
  return () => {
    const put = (sk: string): TransactWriteItem => ({ Put: { TableName, Item: item(sk) } });
    return client.send(new TransactWriteItemsCommand({ TransactItems: ['one', 'two', 'three'].map(put) }));
  };
}

/** Measures the cases of an area in its function's bundle, which is in this folder. */
async function measureArea(
  { area, url, apiKey, folder }: { area: string; url: string; apiKey: string; folder: string },
  effort: Effort,
): Promise<AreaCpu> {
  const http = await loadHandler(folder, `${area}-http`);
  const connection = connect(url, apiKey);
  const figures: AreaCpu = {};
  for (const one of caseFiles.filter((candidate) => candidate.area === area).flatMap(({ cases }) => cases)) {
    await connection.control('POST', 'reset');
    const own = affordable(effort, one.most);
    const next = await one.prepare(connection, makeRequests(own));
    const concurrent = await clientWork(one);
    const work = handlerWork(http, next, apiKey);
    figures[one.name] = await alternate(work, concurrent, one.callsApi === true ? work : undefined, own);
  }
  connection.close();
  return figures;
}

if (import.meta.main) {
  const [area = '', url = '', apiKey = '', effort = '{}', folder = ''] = process.argv.slice(2);
  const figures = await measureArea({ area, url, apiKey, folder }, JSON.parse(effort) as Effort);
  process.send?.(figures);
  process.disconnect();
}
