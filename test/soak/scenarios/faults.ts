import { setTimeout as delay } from 'node:timers/promises';

import type { ConnectionResponse, Connection, Sent } from '../../support/connection.ts';
import { type Consumer, startConsumer } from '../../support/webhook-consumer.ts';
import { allEvents } from '../events.ts';
import { startLocalProcess } from '../local-process.ts';
import { must, print } from '../scenario.ts';
import { advanceUntil, computeArrivals, duplicatesIn, subscribe, type Subscription } from '../subscription.ts';

const PHASE_MS = 4_000;
const WRITERS = 6;
/** Maximum number of times that a caller repeats a call with the response 503. */
const REPEATS = 12;

interface Phase {
  name: string;
  faults: readonly object[];
}

const table = (kind: string, probability: number, more: object = {}) => ({
  target: 'table',
  kind,
  probability,
  ...more,
});
const transactions = { operations: ['TransactWriteItems'] };

const PHASES: readonly Phase[] = [
  { name: 'DynamoDB throttles half of all calls', faults: [table('throttle', 0.5)] },
  { name: 'DynamoDB fails on a third of all calls', faults: [table('unavailable', 0.33)] },
  { name: 'half of all transactions conflict', faults: [table('conflict', 0.5, transactions)] },
  { name: 'one in ten transactions loses its response', faults: [table('lost_response', 0.1, transactions)] },
  { name: 'lists are stale by 2 s', faults: [table('stale_lists', 1, { delay_ms: 2_000 })] },
  { name: 'KMS refuses', faults: [{ target: 'keys', kind: 'refuse' }] },
  { name: 'KMS throttles', faults: [{ target: 'keys', kind: 'throttle' }] },
  { name: 'the bus fails', faults: [{ target: 'bus', kind: 'unavailable' }] },
  { name: 'the bus takes every other event', faults: [{ target: 'bus', kind: 'partial' }] },
  { name: 'the queues fail', faults: [{ target: 'queues', kind: 'unavailable', operations: ['SendMessageBatch'] }] },
];

/** With faults of any dependency, calls return 503 with Retry-After or succeed on retry, and no event is lost. */
export const faults = {
  name: 'faults',
  run: async () => {
    const service = await startLocalProcess();
    const consumer = await startConsumer();
    try {
      const { connection } = service;
      const subscription = await subscribe(connection, consumer, '/faults', ['organization.created']);
      const created: string[] = [];
      for (const phase of PHASES) created.push(...(await play(connection, phase)));
      await checkAll(connection, consumer, subscription, created);
    } finally {
      await Promise.all([service.stop(), consumer.close()]);
    }
  },
};

/** The results of a phase's calls. */
interface Tally {
  response: number;
  unavailable: number;
  givenUp: number;
  /** Organizations whose creation was acknowledged. */
  created: string[];
}

async function play(connection: Connection, { name, faults }: Phase): Promise<string[]> {
  // Cached credentials and data keys would hide the fault.
  await connection.control('POST', 'clock', { advance_seconds: 61 });
  for (const fault of faults) await connection.control('POST', 'faults', fault);
  const tally: Tally = { response: 0, unavailable: 0, givenUp: 0, created: [] };
  const endsAt = performance.now() + PHASE_MS;
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; performance.now() < endsAt; at += 1) {
      const headers = { 'idempotency-key': `${name}-${writer}-${at}` };
      const body = { name: `Under faults ${writer}-${at}` };
      const made = await insist<{ id: string }>(
        connection,
        { method: 'POST', path: '/organizations', body, headers },
        tally,
      );
      if (made?.status !== 201) continue;
      tally.created.push(made.body.id);
      await insist(connection, { method: 'GET', path: `/organizations/${made.body.id}` }, tally);
      await insist(connection, { method: 'GET', path: '/organizations' }, tally);
    }
  };
  await Promise.all([...Array(WRITERS).keys()].map(write));
  // A call that needs a data key, and therefore KMS.
  const path = `http://127.0.0.1:9/${encodeURIComponent(name)}`;
  const endpoint = { endpoint_url: path, events: ['waitlist_user.created'] };
  await insist(connection, { method: 'POST', path: '/webhook_endpoints', body: endpoint }, tally, 2);
  const { data } = await connection.control<{ data: { met: number }[] }>('GET', 'faults');
  const met = data.reduce((sum, fault) => sum + fault.met, 0);
  await connection.control('DELETE', 'faults');
  const { response, unavailable, givenUp, created } = tally;
  print(
    `${name}: ${response} calls succeeded, ${unavailable} times 503 with Retry-After, ${givenUp} given up after ` +
      `${REPEATS} tries, ${created.length} created; ${met} calls met the fault`,
  );
  return created;
}

/**
 * Repeats a call while its response is 503 with Retry-After, after a shorter time than that. Any other unexpected response
 * is an error.
 */
async function insist<T>(
  connection: Connection,
  sent: Sent,
  tally: Tally,
  repeats = REPEATS,
): Promise<ConnectionResponse<T> | undefined> {
  for (let attempt = 1; attempt <= repeats; attempt += 1) {
    const response = await connection.send<T>(sent);
    if (response.status < 300) {
      tally.response += 1;
      return response;
    }
    const what = `${sent.method} ${sent.path} responded ${response.status}: ${JSON.stringify(response.body)}`;
    must(response.status === 503, what);
    must(Number(response.headers['retry-after']) >= 1, `${what} without Retry-After`);
    tally.unavailable += 1;
    await delay(20 * attempt);
  }
  tally.givenUp += 1;
  return undefined;
}

async function checkAll(
  connection: Connection,
  consumer: Consumer,
  subscription: Subscription,
  created: readonly string[],
): Promise<void> {
  must(new Set(created).size === created.length, 'No two idempotent creations respond with the same organization');
  // A commit without a response delays the horizon of GET /events for some seconds.
  await delay(9_000);
  const events = (await allEvents(connection)).filter(({ event }) => event === 'organization.created');
  const subjects = new Set(events.map(({ data }) => data.id));
  const lost = created.filter((id) => !subjects.has(id));
  must(lost.length === 0, `${lost.length} of ${created.length} acknowledged creations have no event: ${lost[0]}`);
  const undelivered = () => {
    const arrivals = computeArrivals(consumer, subscription);
    return events.filter(({ id }) => !arrivals.has(id));
  };
  const seconds = await advanceUntil(connection, 120, 60, () => undelivered().length === 0);
  const left = undelivered();
  must(left.length === 0, `${left.length} of ${events.length} events were never delivered: ${left[0]?.id}`);
  print(
    `${created.length} acknowledged creations, ${events.length} events, all delivered (the last after ${seconds} s on ` +
      `the clock), ${duplicatesIn(computeArrivals(consumer, subscription))} duplicates`,
  );
}
