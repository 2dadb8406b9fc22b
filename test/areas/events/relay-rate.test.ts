import { setImmediate as nextTurn } from 'node:timers/promises';

import { EventBridgeClient, type PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';

import { findOrderKey } from '../../../functions/record/events/relay/departure.ts';
import { relay } from '../../../functions/record/events/relay/relay.ts';
import { planLanes } from '../../../functions/kernel/bus.ts';
import type { BusDetail } from '../../../functions/kernel/events/detail.ts';

/** Time of a PutEvents, and of Lambda between two batches of a shard, in virtual milliseconds. */
const [PUT_MS, POLL_MS] = [20, 10];
const [BATCH, SHARDS, EVENTS_A_SECOND, SECONDS] = [100, 4, 5_000, 4];

/** A clock that only moves when everything waits for it. */
class VirtualClock {
  #now = 0;
  readonly #sleeping: { until: number; wake: () => void }[] = [];

  now = (): number => this.#now;

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => this.#sleeping.push({ until: this.#now + milliseconds, wake }));
  }

  /** Runs work to its end. */
  async run(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    void work.finally(() => (isDone = true));
    for (;;) {
      await nextTurn();
      if (isDone) return;
      const next = Math.min(...this.#sleeping.map(({ until }) => until));
      this.#now = next;
      for (const sleeper of this.#sleeping.splice(0)) {
        if (sleeper.until > next) this.#sleeping.push(sleeper);
        else sleeper.wake();
      }
    }
  }
}

/** A put of one event: its request, its position there, and the times of the request. */
interface Put {
  id: string;
  subject: string;
  request: number;
  at: number;
  from: number;
  until: number;
}

/** Replaces the bus by one that takes {@link PUT_MS}, and records what it gets. @param accepts false rejects an entry */
function fakeBus(clock: VirtualClock, accepts: (detail: BusDetail) => boolean = () => true): Put[] {
  const puts: Put[] = [];
  let requests = 0;
  jest.spyOn(EventBridgeClient.prototype, 'send').mockImplementation((async ({ input }: PutEventsCommand) => {
    const { Entries = [] } = input;
    if (Entries.length > 10) throw new Error(`${Entries.length} entries`);
    const request = (requests += 1);
    const from = clock.now();
    await clock.sleep(PUT_MS);
    const details = Entries.map(({ Detail = '' }) => JSON.parse(Detail) as BusDetail);
    for (const [at, detail] of details.entries()) {
      if (accepts(detail))
        puts.push({ id: detail.id, subject: findOrderKey(detail), request, at, from, until: clock.now() });
    }
    return {
      Entries: details.map((detail) => (accepts(detail) ? { EventId: detail.id } : { ErrorCode: 'Throttled' })),
    };
  }) as never);
  return puts;
}
afterEach(() => void jest.restoreAllMocks());

/** The record of an event of a user, as the stream has it. */
const makeRecord = (number: number, user: number): DynamoDBRecord => ({
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: String(number),
    NewImage: {
      __edb_e__: { S: 'event' },
      environmentId: { S: 'environment_1' },
      id: { S: `event_${String(number).padStart(8, '0')}` },
      name: { S: 'user.updated' },
      data: { S: JSON.stringify({ id: `user_${String(user).padStart(26, '0')}` }) },
      createdAt: { S: '2026-01-15T12:00:00.000Z' },
    },
  },
});

/** The pairs of consecutive events of a subject of which the second may have reached the bus first. */
const listMisplaced = (puts: readonly Put[]): [Put, Put][] =>
  [...Map.groupBy(puts, ({ subject }) => subject).values()].flatMap((own) => {
    const inOrder = own.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return inOrder.slice(1).flatMap((second, at): [Put, Put][] => {
      const first = inOrder[at] as Put;
      const isLater = first.request === second.request ? first.at < second.at : first.until <= second.from;
      return isLater ? [] : [[first, second]];
    });
  });

describe('the relay', () => {
  test('puts 5,000 events a second of four shards on the bus, and those of a subject in order', async () => {
    const clock = new VirtualClock();
    const puts = fakeBus(clock);
    const all = EVENTS_A_SECOND * SECONDS;
    const shards = Array.from({ length: SHARDS }, (_, shard) =>
      Array.from({ length: all / SHARDS }, (__, at) => {
        const number = at * SHARDS + shard;
        // A twentieth of the events of a shard is of one user, the others of some hundred.
        const user = shard * 1_000 + (number % 20 < SHARDS ? 0 : 1 + ((number * 7_919) % 400));
        return { number, writtenAt: (1_000 * number) / EVENTS_A_SECOND, record: makeRecord(number, user) };
      }),
    );
    const started = process.cpuUsage();
    const lags: number[] = [];
    const readShard = async (events: (typeof shards)[number]): Promise<void> => {
      for (let at = 0; at < events.length;) {
        await clock.sleep(POLL_MS);
        const batch = events.slice(at, at + BATCH).filter(({ writtenAt }) => writtenAt <= clock.now());
        if (batch.length === 0) continue;
        expect(await relay(batch.map(({ record }) => record))).toEqual([]);
        lags.push(clock.now() - (batch[0]?.writtenAt ?? 0));
        at += batch.length;
      }
    };
    await clock.run(Promise.all(shards.map(readShard)));
    const { user, system } = process.cpuUsage(started);
    console.log(
      `${puts.length} events in ${(clock.now() / 1_000).toFixed(2)} virtual seconds; the slowest waited ${Math.max(...lags).toFixed(0)} ms; ` +
        `${((user + system) / puts.length).toFixed(0)} µs of CPU an event, the test's own included`,
    );
    expect(new Set(puts.map(({ id }) => id)).size).toBe(all);
    expect(clock.now()).toBeLessThan(SECONDS * 1_000 + 200);
    expect(Math.max(...lags)).toBeLessThan(200);
    expect(listMisplaced(puts)).toEqual([]);
  });

  test('reports all later events of a subject whose event the bus rejects, and puts those of others', async () => {
    const clock = new VirtualClock();
    const puts = fakeBus(clock, ({ id }) => id !== 'event_00000003');
    // Every second event is of user 1, and they need two requests.
    const records = Array.from({ length: 40 }, (_, at) => makeRecord(at, at % 2 === 1 ? 1 : 100 + at));
    let failed: string[] = [];
    await clock.run(relay(records).then((sequences) => (failed = sequences)));
    const later = Array.from({ length: 10 }, (_, at) => String(21 + 2 * at));
    expect(failed).toEqual(['3', ...later]);
    const others = records.filter((__, at) => at % 2 === 0).map(({ dynamodb }) => dynamodb?.NewImage?.id?.S);
    expect(puts.map(({ id }) => id)).toEqual(expect.arrayContaining(others));
  });
});

test('lanes have all events once, a subject in one of them, and the others in few requests', () => {
  const entries = Array.from({ length: 100 }, (_, at) => ({
    at,
    name: 'x',
    text: 'y'.repeat(at % 7 === 0 ? 60_000 : 10),
  }));
  const subjects = entries.map(({ at }) => (at % 4 === 0 ? 'busy' : `quiet ${at % 30}`));
  const lanes = planLanes(entries, subjects);
  expect(lanes.flat().toSorted((a, b) => a.at - b.at)).toEqual(entries);
  const places = Map.groupBy(
    lanes.flatMap((lane, index) => lane.map(({ at }) => ({ at, subject: subjects[at], index }))),
    ({ subject }) => subject,
  );
  for (const own of places.values()) {
    expect(new Set(own.map(({ index }) => index)).size).toBe(1);
    expect(own).toEqual(own.toSorted((a, b) => a.at - b.at));
  }
  expect(lanes.length).toBeLessThan(20);
  expect(planLanes(entries, [])).toEqual([entries]);
});
