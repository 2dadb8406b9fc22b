/**
 * Forked by the profile command: calls the bundled function of an area in this process, against the engines of the running
 * service, and reports over IPC where its CPU time is spent.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundleAll } from '../../../lib/stack/bundle.ts';
import { topology } from '../../../lib/topology/index.ts';
import { connect } from '../../support/connection.ts';
import { recordApiCalls } from '../api-calls.ts';
import { findCase } from './cases.ts';
import { clientWork, handlerWork, loadHandler } from '../handler-cpu.ts';
import { type Attribution, attribute } from './attribution.ts';
import { startSampling } from './sampling.ts';
import { median, timeRounds } from './rounds.ts';

/** The profile of a handler, with medians of its CPU time and of the bare DynamoDB client's in turns, in ms. */
export interface HandlerProfile {
  attribution: Attribution;
  handlerMs: number;
  clientMs: number;
  /** CPU time of the same calls of the API by Node's own client, for a case that calls the API. */
  apiCallsMs?: number;
  /** The average number of requests of a call to AWS, by their operation. */
  requests: Record<string, number>;
}

const WARM_UP = 300;
const ROUNDS = 15;
const ROUND_SIZE = 20;

/** Counts the requests of this process to AWS until the returned function is called, which divides them by the number of calls. */
function countRequests(): (calls: number) => Record<string, number> {
  const counts = new Map<string, number>();
  const note = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const name = String(request.getHeader('x-amz-target') ?? 'HTTP').replace(/^.*\./, '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  subscribe('http.client.request.start', note);
  return (calls) => {
    unsubscribe('http.client.request.start', note);
    return Object.fromEntries([...counts].map(([name, count]) => [name, count / calls]));
  };
}

async function profileHandler(name: string, url: string, apiKey: string, calls: number): Promise<HandlerProfile> {
  const { area, one } = findCase(name);
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-profile-'));
  try {
    await bundleAll(
      folder,
      topology.functions.filter((each) => each.name === `${area}-http`),
    );
    const handler = await loadHandler(folder, `${area}-http`);
    const connection = connect(url, apiKey);
    await connection.control('POST', 'reset');
    const next = await one.prepare(connection, WARM_UP + calls + ROUNDS * ROUND_SIZE);
    const [work, client] = [handlerWork(handler, next, apiKey), await clientWork(one)];
    for (let at = 0; at < WARM_UP; at += 1) await Promise.all([work(), client()]);
    const count = countRequests();
    const stop = await startSampling();
    for (let at = 0; at < calls; at += 1) await work();
    const sampled = await stop();
    const requests = count(calls);
    const bare = one.callsApi === true ? await recordApiCalls(work) : undefined;
    const rounds = await timeRounds([work, client, ...(bare === undefined ? [] : [bare])], ROUNDS, ROUND_SIZE);
    connection.close();
    return {
      attribution: attribute(sampled, calls, median(rounds[0] ?? [])),
      handlerMs: median(rounds[0] ?? []),
      clientMs: median(rounds[1] ?? []),
      ...(rounds[2] !== undefined && { apiCallsMs: median(rounds[2]) }),
      requests,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const [name = '', url = '', apiKey = '', calls = '0'] = process.argv.slice(2);
  process.send?.(await profileHandler(name, url, apiKey, Number(calls)));
  process.disconnect();
}
