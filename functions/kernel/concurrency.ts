type AwaitedAll<T extends readonly unknown[]> = { -readonly [Index in keyof T]: Awaited<T[Index]> };

/**
 * Waits until every promise has settled, also if one of them rejects, so that no work continues after the response of its
 * caller: Lambda freezes a function after its response, and would finish that work during another call. `Promise.all`
 * rejects at once.
 * @returns the values, in the order of the promises
 * @throws the reason of the first promise in this order that rejected
 */
export function awaitAll<T extends readonly unknown[] | []>(promises: T): Promise<AwaitedAll<T>>;
export function awaitAll<T>(promises: Iterable<T>): Promise<Awaited<T>[]>;
export async function awaitAll(promises: Iterable<unknown>): Promise<unknown[]> {
  const all = [...promises];
  await Promise.allSettled(all);
  return Promise.all(all);
}
