import { log } from '../kernel/log.ts';
import { findUnsent } from '../kernel/messages/entity.ts';
import { sendMessage } from './send.ts';

/** Read from each shard of the due index at a time. */
const PAGE = 10;
/** Milliseconds after which the rest is left to the next run; well below the worker's time-out. */
const LONGEST_MS = 40_000;

/**
 * Sends what the queue should have sent by now: messages that the relay or the queue lost, or whose tries are used up. The
 * oldest first, a page in parallel at a time; each try moves a message's due time, so one that keeps failing blocks none.
 */
export async function resumeMessages(): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  const seen = new Set<string>();
  while (performance.now() < deadline) {
    const page = (await findUnsent(PAGE)).filter(({ environmentId, id }) => !seen.has(`${environmentId} ${id}`));
    // The index lags by moments: a page of known rows alone is what this run has already moved.
    if (page.length === 0) return;
    await Promise.all(
      page.map(async ({ environmentId, id }) => {
        seen.add(`${environmentId} ${id}`);
        try {
          await sendMessage(environmentId, id);
        } catch (error) {
          log.warn('message not sent yet', { environment_id: environmentId, message_row: id, error });
        }
      }),
    );
  }
}
