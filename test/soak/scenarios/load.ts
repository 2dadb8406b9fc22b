import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Connection, Sent } from '../../support/connection.ts';
import { startConsumer } from '../../support/webhook-consumer.ts';
import { type LocalProcess, startLocalProcess } from '../local-process.ts';
import { computeLatencies, must, quantile, print } from '../scenario.ts';
import { subscribe } from '../subscription.ts';

const WARM_UP_MS = 20_000;
const LOAD_MS = 60_000;
const CALLERS = 8;
const SAMPLE_MS = 1_000;
/** Maximum growth in MiB of the median of the last third over that of the first. */
const GROWTH_MIB = 64;

/** A minute of calls of all kinds: none fails, and the memory does not grow. */
export const load = {
  name: 'load',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-soak-'));
    const consumer = await startConsumer();
    const service = await startLocalProcess(folder);
    try {
      await subscribe(service.connection, consumer, '/load');
      await calls(service.connection, WARM_UP_MS);
      const [{ latencies, unexpected }, memory] = await Promise.all([
        calls(service.connection, LOAD_MS),
        sampled(service, LOAD_MS),
      ]);
      const perSecond = latencies.length / (LOAD_MS / 1_000);
      print(`${latencies.length} calls in a minute (${perSecond.toFixed(0)}/s), ${computeLatencies(latencies)}`);
      const third = Math.floor(memory.length / 3);
      const [before, after] = [quantile(memory.slice(0, third), 0.5), quantile(memory.slice(-third), 0.5)];
      print(
        `memory: median ${before.toFixed(0)} MiB in the first third, ${after.toFixed(0)} MiB in the last, ` +
          `at most ${Math.max(...memory).toFixed(0)} MiB`,
      );
      must(
        unexpected.size === 0,
        `Every call gets an expected response; there were ${JSON.stringify([...unexpected])}`,
      );
      must(after - before < GROWTH_MIB, `The process grew by ${(after - before).toFixed(0)} MiB in a minute`);
    } finally {
      await service.stop();
      await consumer.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function calls(
  connection: Connection,
  milliseconds: number,
): Promise<{ latencies: number[]; unexpected: Map<number, number> }> {
  const latencies: number[] = [];
  const unexpected = new Map<number, number>();
  const endsAt = performance.now() + milliseconds;
  const one = async (): Promise<void> => {
    let id = '';
    for (let at = 0; performance.now() < endsAt; at += 1) {
      const sentAt = performance.now();
      const { status, body } = await connection.send<{ id: string }>(makeRequest(at, id));
      latencies.push(performance.now() - sentAt);
      if (status >= 300) unexpected.set(status, (unexpected.get(status) ?? 0) + 1);
      else if (at % 10 === 0) id = body.id;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, one));
  return { latencies, unexpected };
}

/** Makes requests of which one in ten creates, one updates, two list, and six read. */
function makeRequest(at: number, id: string): Sent {
  const step = at % 10;
  if (step === 0) return { method: 'POST', path: '/organizations', body: { name: `Under load ${at}` } };
  const path = `/organizations/${id}`;
  if (step === 5) return { method: 'PUT', path, body: { metadata: { at: String(at) } } };
  if (step === 3) return { method: 'GET', path: '/organizations' };
  if (step === 7) return { method: 'GET', path: '/events?events=organization.created&limit=5' };
  return { method: 'GET', path };
}

async function sampled(service: LocalProcess, milliseconds: number): Promise<number[]> {
  const samples: number[] = [];
  const endsAt = performance.now() + milliseconds;
  while (performance.now() < endsAt) {
    samples.push(service.memoryMib());
    await delay(SAMPLE_MS);
  }
  return samples;
}
