import { awaitAll } from '../../kernel/concurrency.ts';
import { log } from '../../kernel/log.ts';
import { findUnsent } from '../../kernel/messages/entity.ts';
import { sendMessage } from './send.ts';

/** Number of rows read from each shard of the due index at a time. */
const PAGE = 10;
/** Time in ms after which the rest is left to the next run, well below the worker's time limit. */
const LONGEST_MS = 40_000;

/**
 * Sends messages that should have been sent by now: those that the relay or the queue lost, or whose attempts are used up.
 * The oldest come first, one page in parallel at a time. Each attempt postpones a message's due time, so a failing one does
 * not block others.
 */
export async function retryMessages(): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  const seen = new Set<string>();
  while (performance.now() < deadline) {
    const page = (await findUnsent(PAGE)).filter(({ environmentId, id }) => !seen.has(`${environmentId} ${id}`));
    // The index lags by moments, so a page that has only known rows was already processed by this run.
    if (page.length === 0) return;
    await awaitAll(
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
