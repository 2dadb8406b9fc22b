import { clock } from '../clock.ts';
import { settings } from '../settings.ts';

/**
 * How long a commit of events may take, all tries of the SDK together, in milliseconds. Below the deployed horizon of
 * GET /events by a second, which is left for the difference of clocks.
 */
export const COMMIT_DEADLINE_MS = 4_000;

/** Commits of this process whose events have ids already and are not known to be in the table or lost. */
const open = new Set<{ mintedAt: number; startedAt: number }>();

/** Notes that ids of events are about to be minted; the result is called when their commit has ended. */
export function openCommit(): () => void {
  const commit = { mintedAt: clock.now(), startedAt: performance.now() };
  open.add(commit);
  return () => void open.delete(commit);
}

/**
 * The time before which no further event can appear: ids are minted before their commit and on several clocks. The
 * setting bounds other processes; commits of this one are known exactly.
 */
export function settledUntil(): number {
  const now = performance.now();
  let settled = clock.now() - settings().GATEHOUSE_EVENT_HORIZON_MS;
  for (const commit of open) {
    if (now - commit.startedAt > 2 * COMMIT_DEADLINE_MS) open.delete(commit);
    else settled = Math.min(settled, commit.mintedAt);
  }
  return settled;
}
