import { clock } from '../clock.ts';
import { settings } from '../settings.ts';

/**
 * Time limit in ms of a commit with events, including all retries of the SDK. It is a second below the time for which GET
 * /events waits for recent events in a deployment, to allow for clock differences.
 */
const COMMIT_DEADLINE_MS = 4_000;

/** The option of a call of the SDK that ends it. */
export interface SendOptions {
  abortSignal?: AbortSignal;
}

/**
 * Ends a commit with events at its deadline, whatever the client's own time-outs are. The timer of `AbortSignal.timeout` would stay
 * after the commit and then make an error with its stack, which takes as much CPU time as signing the call.
 */
export async function untilDeadline<T>(send: (options: SendOptions) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const end = (): void => controller.abort(new DOMException('The commit exceeded its deadline', 'TimeoutError'));
  const timer = setTimeout(end, COMMIT_DEADLINE_MS);
  try {
    return await send({ abortSignal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Running commits of this process whose events have ids already. */
const open = new Set<{ mintedAt: number; startedAt: number; epoch: number }>();

/** Registers a commit whose event ids are about to be made. Call the returned function when the commit has ended. */
export function openCommit(): () => void {
  const commit = { mintedAt: clock.now(), startedAt: performance.now(), epoch: clock.epoch() };
  open.add(commit);
  return () => void open.delete(commit);
}

/**
 * The time before which no further event can appear, although ids are made before their commit and on several clocks. A
 * setting covers the commits of other processes; those of this process are known exactly.
 */
export function settledUntil(): number {
  const now = performance.now();
  let settled = clock.now() - settings().GATEHOUSE_EVENT_HORIZON_MS;
  for (const commit of open) {
    // A commit from an earlier epoch of the clock belongs to a table that has been emptied since.
    const isOver = commit.epoch !== clock.epoch() || now - commit.startedAt > 2 * COMMIT_DEADLINE_MS;
    if (isOver) open.delete(commit);
    else settled = Math.min(settled, commit.mintedAt);
  }
  return settled;
}
