import { eventEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { runFinalSweeps } from '../../kernel/storage/erasure.ts';
import { startLastRuns } from '../../kernel/storage/work.ts';
import { eraseDeleted } from './erase.ts';

/** The Lambda entry of the worker that starts when a user or organization is deleted. */
export const erase = eventEntry('erasure-erase', eraseDeleted);

/** The Lambda entry of the scheduled worker. */
export const sweep = scheduleEntry('erasure-sweep', async () => {
  await startLastRuns();
  await runFinalSweeps();
});
