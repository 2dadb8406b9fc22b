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

/**
 * Does work for each item, for at most `limit` items at a time. After a failure no further item is begun, and those that were
 * begun are awaited.
 * @returns the results, in the order of the items
 * @throws the reason of a failed item
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  let hasFailed = false;
  const takeNext = async (): Promise<void> => {
    for (const [at, item] of rest) {
      try {
        results[at] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      if (hasFailed) return;
    }
  };
  await awaitAll(Array.from({ length: Math.min(limit, items.length) }, takeNext));
  return results;
}

/** The reads of each unit of work that began before it was known whether their results are needed. */
const early = new WeakMap<object, Promise<unknown>[]>();

/**
 * Adds a read that began early to a unit of work. The call ends only after it, although it may not need the result, and its failure
 * matters only to the code that awaits the returned promise.
 */
export function readEarly<T>(unit: object, reading: Promise<T>): Promise<T> {
  early.set(unit, [...(early.get(unit) ?? []), reading.catch(() => undefined)]);
  return reading;
}

/** Waits for the reads of a unit of work that began early. */
export const settleEarlyReads = async (unit: object): Promise<void> => void (await awaitAll(early.get(unit) ?? []));
