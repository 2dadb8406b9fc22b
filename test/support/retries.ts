/** Maximum attempts of a test's call. The service makes six attempts in each; parallel calls of a test need fewer. */
const MAX_ATTEMPTS = 100;

/**
 * Repeats work that conflicted with parallel work and had no effect, such as a call with the response 503.
 * @throws Error after 100 attempts
 */
export async function retry<T>(work: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const result = await work();
    if (isDone(result)) return result;
  }
  throw new Error(`Still in conflict after ${MAX_ATTEMPTS} attempts`);
}

/** Repeats a call until its response is not 503, which means that it had no effect. */
export const retryCall = <T extends { status: number }>(send: () => Promise<T>): Promise<T> =>
  retry(send, ({ status }) => status !== 503);
