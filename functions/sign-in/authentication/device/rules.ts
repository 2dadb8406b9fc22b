/** Validity of a device code in seconds (RFC 8628 section 3.2), and the initial interval between polls. */
export const DEVICE_CODE_SECONDS = 300;
export const POLL_SECONDS = 5;

/** The seconds that the interval grows by after a poll that comes too soon (RFC 8628 section 3.5), and its maximum. */
const MORE_SECONDS = 5;
const MOST_SECONDS = 60;

/** Decides, by time only, whether a poll comes too soon, and which `interval` applies from now on. */
export function computePace(
  { polledAt, interval }: { polledAt?: number | undefined; interval: number },
  now: number,
): { isTooSoon: boolean; interval: number } {
  const isTooSoon = polledAt !== undefined && now - polledAt < interval * 1_000;
  return { isTooSoon, interval: isTooSoon ? Math.min(interval + MORE_SECONDS, MOST_SECONDS) : interval };
}
