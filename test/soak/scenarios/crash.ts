import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type Consumer, startConsumer } from '../../support/webhook-consumer.ts';
import { allEvents } from '../events.ts';
import { Ledger, nameOfEvent } from '../ledger.ts';
import { type LocalProcess, startLocalProcess } from '../local-process.ts';
import { computeLatencies, must, print } from '../scenario.ts';
import { advanceUntil, computeArrivals, duplicatesIn, subscribe, type Subscription } from '../subscription.ts';

const KILLS = 20;
const WRITERS = 6;
/**
 * Seconds by which the clock is moved: deliveries of a dead process return after their visibility time-out, at most three
 * minutes later.
 */
const STEP_SECONDS = 200;
const MOST_STEPS = 40;

const EVENTS = ['organization.created', 'organization.updated', 'organization.deleted'];

/** kill -9 at random times under load: acknowledged changes exist, and their events are delivered. */
export const crash = {
  name: 'crash',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-soak-'));
    const consumer = await startConsumer();
    let service = await startLocalProcess(folder);
    try {
      const ledger = new Ledger();
      const subscription = await subscribe(service.connection, consumer, '/crash', EVENTS);
      const restarts: number[] = [];
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const before = ledger.entries.length;
        await underLoadUntilKilled(service, ledger, kill);
        const startedAt = performance.now();
        service = await startLocalProcess(folder);
        restarts.push(performance.now() - startedAt);
        await ledger.check(service.connection, ledger.entries.slice(before));
      }
      print(`killed ${KILLS} times; ready again after ${computeLatencies(restarts)}`);
      await checkAll(service, ledger, consumer, subscription);
    } finally {
      await service.stop();
      await consumer.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function underLoadUntilKilled(service: LocalProcess, ledger: Ledger, round: number): Promise<void> {
  let isDead = false;
  let made = 0;
  const writer = async (): Promise<void> => {
    while (!isDead) {
      try {
        await ledger.write(service.connection, `r${round}-${made++}`);
      } catch (error) {
        // A broken connection and a missing engine are the expected effects of a crash; a wrong response is not.
        if (error instanceof Error && /responded/.test(error.message)) throw error;
        if (!isDead) await delay(1);
      }
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  await Promise.race([delay(300 + Math.random() * 1_500), writers]);
  // Calls in progress are now cut off, and no new ones start.
  isDead = true;
  await service.kill(round % 2 === 0 ? 'all' : 'service');
  await writers;
}

async function checkAll(
  { connection }: LocalProcess,
  ledger: Ledger,
  consumer: Consumer,
  subscription: Subscription,
): Promise<void> {
  await ledger.check(connection);
  const { acknowledged, withoutResponse, entries } = ledger;
  print(
    `${acknowledged} acknowledged calls on ${entries.length} organizations, none lost; of the calls without a response ` +
      `${withoutResponse.happened} had happened and ${withoutResponse.not} had not, none by half`,
  );
  const expected = ledger.expectedEvents();
  const listed = await allEvents(connection);
  const names = listed.filter(({ event }) => EVENTS.includes(event)).map(nameOfEvent);
  const present = new Set(names);
  const missing = [...expected].filter((name) => !present.has(name));
  must(missing.length === 0, `${missing.length} of ${expected.size} events are not in GET /events: ${missing[0]}`);
  const surplus = names.filter((name) => !expected.has(name));
  must(surplus.length === 0, `${surplus.length} events tell of what did not happen: ${surplus[0]}`);
  must(names.length === present.size, `${names.length - present.size} things have two events`);

  const ids = listed.filter(({ event }) => EVENTS.includes(event)).map(({ id }) => id);
  const undelivered = () => {
    const arrivals = computeArrivals(consumer, subscription);
    return ids.filter((id) => !arrivals.has(id));
  };
  const seconds = await advanceUntil(connection, STEP_SECONDS, MOST_STEPS, () => undelivered().length === 0);
  const left = undelivered();
  must(left.length === 0, `${left.length} of ${ids.length} events never arrived: ${left[0]}`);
  const duplicates = duplicatesIn(computeArrivals(consumer, subscription));
  print(
    `all ${ids.length} events listed once and delivered with valid signatures (the last after ${seconds} s on the ` +
      `clock), ${duplicates} duplicates`,
  );
  print(`${await ledger.checkFree(connection)} values of what is gone or was never made could be taken again`);
}
