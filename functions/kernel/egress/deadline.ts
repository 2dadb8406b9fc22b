import { EgressError } from './errors.ts';

/**
 * Runs work under one time limit for all of it, and under the caller's own signal. Work that ignores the signal is
 * abandoned: the promise still settles at the limit.
 * @param limitMs milliseconds, above 0
 * @throws EgressError `timeout` at the limit; the caller's abort reason if that comes first
 */
export async function withDeadline<T>(
  limitMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new EgressError('timeout')), limitMs);
  const follow = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', follow, { once: true });
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', follow);
  }
}
