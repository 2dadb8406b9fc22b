import { beforeEach, describe, expect, test } from '@jest/globals';

import { reopen } from '../../../functions/record/audit-logs/stream/deliver.ts';
import { receiver, type Receiver, type ReceiverResponse } from '../../support/receiver.ts';
import { advance, call, idle, now, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { defineAction, newOrganization, record, recordMany, sealHour } from './record.ts';

/** An event so large that five of them fill a batch. */
const LARGE = { context: { location: '192.0.2.1', user_agent: 'x'.repeat(200_000) } };

let organization: string;
let target: Receiver;
/** The accepted batches in order, and all batches that were sent. */
let taken: number[][];
let sent: number;

beforeEach(async () => {
  await reset();
  organization = await newOrganization();
  await defineAction();
  target = await receiver('/logs');
  taken = [];
  sent = 0;
});

const path = (): string => `/x/organizations/${organization}/audit_log_stream`;
const streamTo = (state = 'active') => call('PUT', path(), { type: 'GenericHttps', url: target.url, state });

/** Makes the receiver decide batch by batch, and records the accepted ones. */
function receive(decide: (batch: number) => ReceiverResponse | Promise<ReceiverResponse>): void {
  target.respondWith(async ({ body }) => {
    const { data } = JSON.parse(body) as { data: { metadata: { n: number } }[] };
    sent += 1;
    const response = await decide(sent);
    if ((response.status ?? 200) < 300) taken.push(data.map(({ metadata }) => metadata.n));
    return response;
  });
}

/** Records four batches of large events, one after the other. */
async function recordLarge(): Promise<void> {
  for (let n = 0; n < 17; n += 1) await record(organization, { ...LARGE, metadata: { n } });
}

/** Records events in two hours that are sealed and in a third that is open. */
async function recordHours(): Promise<void> {
  await recordLarge();
  await sealHour();
  await record(organization, { metadata: { n: 17 } });
  await sealHour();
  await record(organization, { metadata: { n: 18 } });
}

const ALL = Array.from({ length: 19 }, (_, n) => n);

/** Runs the stream a number of times. The time between the runs is longer than the first waits after failures. */
async function turns(count: number, before: () => void = () => undefined): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await idle();
    before();
    await advance(80);
  }
  await idle();
}

describe('a log stream continues a sealed hour where the last run ended', () => {
  beforeEach(async () => {
    await streamTo('inactive');
    await recordHours();
  });

  test('if its receiver fails every third batch', async () => {
    receive((batch) => ({ status: batch % 3 === 0 ? 500 : 200 }));
    await streamTo();
    await turns(5);
    expect(taken.flat()).toEqual(ALL);
    expect(sent).toBeLessThan(12);
  });

  test('if its receiver accepts two batches in each run and then responds 429', async () => {
    let room = 2;
    receive(() => ({ status: (room -= 1) < 0 ? 429 : 200 }));
    await streamTo();
    await turns(5, () => void (room = 2));
    expect(taken.flat()).toEqual(ALL);
    // Each run except the last ends with the rejected batch.
    expect(sent).toBeLessThan(12);
    expect((await call<{ state: string }>('GET', path())).body.state).toBe('active');
  });

  test('if its receiver is so slow that a run ends after one batch', async () => {
    receive(async () => {
      await advance(301);
      return { status: 200 };
    });
    await streamTo();
    await turns(8);
    expect(taken.flat()).toEqual(ALL);
  });
});

test('a log stream repeats an hour at most once if it was delivered in part before the hour ended', async () => {
  receive((batch) => ({ status: batch === 1 || batch > 3 ? 200 : 503 }));
  await streamTo();
  await recordLarge();
  await turns(1);
  await sealHour();
  await record(organization, { metadata: { n: 17 } });
  await turns(6);
  const first = taken.flat().filter((n, at, all) => all.indexOf(n) === at);
  expect(first).toEqual(ALL.slice(0, 18));
  expect(taken.flat().length).toBeLessThanOrEqual(2 * 18);
});

test('a log stream delivers late events of an hour that are found during its run', async () => {
  const hour = new Date(await now()).toISOString().slice(0, 13);
  receive(() => ({ status: 200 }));
  await streamTo();
  await recordMany(organization, 3);
  await sealHour();
  await turns(1);
  expect(taken.flat()).toHaveLength(3);
  const environmentId = await environment();
  receive(async (batch) => {
    if (batch === 2) await reopen(environmentId, organization, hour);
    return { status: 200 };
  });
  await record(organization, { metadata: { n: 9 } });
  await turns(2);
  expect(taken.flat().slice(3)).toEqual([9, ...taken.flat().slice(0, 3)]);
});
