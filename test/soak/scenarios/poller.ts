import { setTimeout as delay } from 'node:timers/promises';

import type { Connection } from '../../support/connection.ts';
import { allEvents, EVENT_NAMES, eventsAfter, type ListedEvent } from '../events.ts';
import { startLocalProcess } from '../local-process.ts';
import { must, print } from '../scenario.ts';

const WRITERS = 8;
const WRITE_MS = 25_000;
/** Time in ms for which a commit without a response delays GET /events. */
const SETTLE_MS = 10_000;

const UNREST = [
  { target: 'table', kind: 'lost_response', operations: ['TransactWriteItems'], probability: 0.01 },
  { target: 'table', kind: 'delay', operations: ['TransactWriteItems'], probability: 0.05, delay_ms: 2_500 },
  { target: 'table', kind: 'delay', operations: ['TransactWriteItems'], probability: 0.2, delay_ms: 400 },
  { target: 'table', kind: 'conflict', operations: ['TransactWriteItems'], probability: 0.1 },
  { target: 'table', kind: 'stale_lists', delay_ms: 300 },
];

/** A client that polls GET /events misses none while commits are delayed at random and transactions are cancelled. */
export const poller = {
  name: 'poller',
  run: async () => {
    const service = await startLocalProcess();
    const { connection } = service;
    try {
      for (const fault of UNREST) await connection.control('POST', 'faults', fault);
      const state = { isWriting: true };
      const pollers = [pollForward(connection, state), pollNormal(connection, state)];
      const endsAt = performance.now() + WRITE_MS;
      const written = await Promise.all(Array.from({ length: WRITERS }, () => write(connection, endsAt)));
      await connection.control('DELETE', 'faults');
      await delay(SETTLE_MS);
      state.isWriting = false;
      const seen = await Promise.all(pollers);
      const created = written.flatMap(({ ids }) => ids);
      const rejected = written.reduce((sum, one) => sum + one.rejected, 0);
      const listed = await allEvents(connection);
      print(`${created.length} acknowledged writes, ${rejected} refused with 503, ${listed.length} events in the end`);
      const subjects = new Set(listed.map(({ data }) => data.id));
      const lost = created.filter((id) => !subjects.has(id));
      must(lost.length === 0, `Every acknowledged write has its event; ${lost.length} have none`);
      for (const [at, name] of ['asc', 'normal'].entries()) {
        const ids = new Set((seen[at] ?? []).map(({ id }) => id));
        const missed = listed.filter(({ id }) => !ids.has(id));
        must(missed.length === 0, `The poller (${name}) missed ${missed.length}: ${missed[0]?.id}`);
        print(`the poller (order ${name}) saw all ${ids.size} events`);
      }
    } finally {
      await service.stop();
    }
  },
};

async function write(connection: Connection, endsAt: number): Promise<{ ids: string[]; rejected: number }> {
  const ids: string[] = [];
  let rejected = 0;
  while (performance.now() < endsAt) {
    const { status, body } = await connection.send<{ id: string }>({
      method: 'POST',
      path: '/organizations',
      body: { name: 'Polled' },
    });
    must(status === 201 || status === 503, `A create under faults responded ${status}`);
    if (status === 201) ids.push(body.id);
    else rejected += 1;
  }
  return { ids, rejected };
}

/** Reads on from the last event that it has seen, in the order of time. */
async function pollForward(connection: Connection, state: { isWriting: boolean }): Promise<ListedEvent[]> {
  const seen: ListedEvent[] = [];
  for (let isLast = false; !isLast;) {
    isLast = !state.isWriting;
    for (;;) {
      const { data, list_metadata } = await eventsAfter(connection, seen.at(-1)?.id);
      seen.push(...data);
      if (list_metadata.after === null) break;
    }
    await delay(15);
  }
  return seen;
}

/** Reads in the order `normal`, the newest first, in which `after` continues to newer events. */
async function pollNormal(connection: Connection, state: { isWriting: boolean }): Promise<ListedEvent[]> {
  const seen: ListedEvent[] = [];
  let newest = '';
  for (let isLast = false; !isLast;) {
    isLast = !state.isWriting;
    for (let size = 100; size === 100;) {
      const query = new URLSearchParams({ events: EVENT_NAMES.join(','), order: 'normal', limit: '100' });
      // The first page, without a cursor, contains the newest events; at the beginning there are none.
      if (newest !== '') query.set('after', newest);
      const { data } = await connection.demand<{ data: ListedEvent[] }>({
        method: 'GET',
        path: `/events?${query.toString()}`,
      });
      seen.push(...data);
      newest = data.reduce((latest, { id }) => (id > latest ? id : latest), newest);
      size = data.length;
    }
    await delay(15);
  }
  return seen;
}
