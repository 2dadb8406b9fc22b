import type { Connection } from '../support/connection.ts';
import type { Next } from './case.ts';
import { quantile } from './table.ts';

/** The result of a load. */
export interface LoadFigures {
  concurrency: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Numbers of responses with an unexpected status, by status. */
  unexpected: Record<string, number>;
}

/** Sends requests, a fixed number at a time, for some seconds or until there are none left. */
export async function load(
  connection: Connection,
  next: Next,
  concurrency: number,
  seconds: number,
): Promise<LoadFigures> {
  const latencies: number[] = [];
  const unexpected: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const sendAll = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const request = next();
      if (request === undefined) return;
      const sentAt = performance.now();
      const { status } = await connection.send(request);
      latencies.push(performance.now() - sentAt);
      if (status !== request.status) unexpected[status] = (unexpected[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendAll));
  const perSecond = latencies.length / ((performance.now() - startedAt) / 1_000);
  return { concurrency, perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), unexpected };
}
