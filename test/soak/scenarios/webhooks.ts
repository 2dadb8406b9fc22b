import { setTimeout as delay } from 'node:timers/promises';

import type { Connection } from '../../support/connection.ts';
import { type Consumer, startConsumer } from '../../support/webhook-consumer.ts';
import { startLocalProcess } from '../local-process.ts';
import { computeLatencies, must, sideBySide, print, until } from '../scenario.ts';
import { advanceUntil, computeArrivals, duplicatesIn, subscribe } from '../subscription.ts';

/** The guarantees for webhook consumers if one of them fails. */
export const webhooks = {
  name: 'webhooks',
  run: async () => {
    const service = await startLocalProcess();
    const consumer = await startConsumer();
    try {
      for (const part of [failingForAWhile, slowWithFast, thousandToFive]) {
        await service.connection.control('POST', 'reset');
        consumer.received.length = 0;
        await part(service.connection, consumer);
      }
    } finally {
      await Promise.all([service.stop(), consumer.close()]);
    }
  },
};

const REPEATS = 10;
/** Number of creations with a 503, which their caller repeated. */
let repeated = 0;

/** Creates an organization like an SDK: with an idempotency key, and again after a retryable 503. */
async function create(connection: Connection, name: string): Promise<{ id: string }> {
  const headers = { 'idempotency-key': name };
  const sent = { method: 'POST', path: '/organizations', body: { name }, headers };
  for (let attempt = 1; ; attempt += 1) {
    const { status, headers: responseHeaders, body } = await connection.send<{ id: string }>(sent);
    if (status === 201) return body;
    must(status === 503 && attempt <= REPEATS, `A creation responded ${status}: ${JSON.stringify(body)}`);
    repeated += 1;
    await delay(Number(responseHeaders['retry-after']) * 1_000);
  }
}

/** An endpoint that returns 500 for a while gets every delivery later. */
async function failingForAWhile(connection: Connection, consumer: Consumer): Promise<void> {
  const count = 20;
  const subscription = await subscribe(connection, consumer, '/failing');
  let isWell = false;
  const taken = new Set<string>();
  consumer.reply = ({ headers }, response) => {
    if (isWell) taken.add(String(headers['webhook-id']));
    response.writeHead(isWell ? 200 : 500).end();
  };
  await sideBySide([...Array(count).keys()], 4, (at) => create(connection, `Failing ${at}`));
  await advanceUntil(connection, 60, 15, () => false);
  const failures = consumer.received.length;
  must(failures > 0, 'A failing endpoint is tried');
  isWell = true;
  const seconds = await advanceUntil(connection, 300, 100, () => taken.size === count);
  const arrivals = computeArrivals(consumer, subscription);
  print(
    `an endpoint that responded 500 for 15 minutes (${failures} failed attempts of ${count} events) got ${taken.size} ` +
      `of them within ${seconds / 60} minutes of its recovery, ${arrivals.size} distinct`,
  );
  must(taken.size === count, `A recovered endpoint gets every delivery: ${taken.size} of ${count}`);
}

/** An endpoint that takes 14 s for each response does not delay another endpoint. */
async function slowWithFast(connection: Connection, consumer: Consumer): Promise<void> {
  const count = 40;
  const slow = await subscribe(connection, consumer, '/slow');
  const fast = await subscribe(connection, consumer, '/fast');
  let isSlow = true;
  consumer.reply = ({ path }, response) => {
    const waitMs = isSlow && path === slow.path ? 14_000 : 0;
    void delay(waitMs).then(() => response.writeHead(204).end());
  };
  const createdAt = new Map<string, number>();
  for (let at = 0; at < count; at += 1) {
    const { id } = await create(connection, `Beside a slow one ${at}`);
    createdAt.set(id, performance.now());
    await delay(100);
  }
  const fastArrivals = () => consumer.received.filter(({ path }) => path === fast.path);
  await until(
    'the fast endpoint gets all',
    20_000,
    () => fastArrivals().length,
    (length) => length >= count,
  );
  const latencies = fastArrivals().map(({ at, text }) => {
    const { data } = JSON.parse(text) as { data: { id: string } };
    return Math.max(0, at - (createdAt.get(data.id) ?? NaN));
  });
  const slowReceived = consumer.received.length - fastArrivals().length;
  print(
    `beside an endpoint that takes 14 s (${slowReceived} of ${count} begun), another waited ${computeLatencies(latencies)}`,
  );
  must(Math.max(...latencies) < 5_000, 'A slow endpoint does not delay another by seconds');
  isSlow = false;
  const isComplete = () => computeArrivals(consumer, slow).size === count;
  const seconds = await advanceUntil(connection, 60, 60, isComplete);
  must(isComplete(), `The slow endpoint gets all in the end: ${computeArrivals(consumer, slow).size} of ${count}`);
  print(`the slow one had all ${count} after ${seconds / 60} minutes on the clock`);
}

/** A thousand events are delivered to all of five endpoints. */
async function thousandToFive(connection: Connection, consumer: Consumer): Promise<void> {
  const count = 1_000;
  consumer.reply = (_, response) => void response.writeHead(204).end();
  const paths = ['/one', '/two', '/three', '/four', '/five'];
  const subscriptions = await Promise.all(paths.map((path) => subscribe(connection, consumer, path)));
  const startedAt = performance.now();
  await sideBySide([...Array(count).keys()], 16, (at) => create(connection, `Of a thousand ${at}`));
  const createdMs = performance.now() - startedAt;
  print(`${repeated} creations got 503 and repeated`);
  const total = () => subscriptions.reduce((sum, one) => sum + computeArrivals(consumer, one).size, 0);
  await until(
    'all deliveries',
    240_000,
    async () => {
      await delay(500);
      return consumer.received.length;
    },
    (length) => length >= count * paths.length && total() === count * paths.length,
  );
  const doneMs = performance.now() - startedAt;
  const duplicates = subscriptions.reduce((sum, one) => sum + duplicatesIn(computeArrivals(consumer, one)), 0);
  print(
    `${count} events (made in ${(createdMs / 1_000).toFixed(1)} s) to 5 endpoints: all ${total()} deliveries after ` +
      `${(doneMs / 1_000).toFixed(1)} s, ${duplicates} duplicates, every signature valid`,
  );
}
