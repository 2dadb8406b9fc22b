import { eventEntry, scheduleEntry } from '../kernel/http/worker.ts';
import { runFinalSweeps } from '../kernel/storage/erasure.ts';
import { startLastRuns } from '../kernel/storage/work.ts';
import { eraseDeleted } from './erase.ts';

/** The Lambda entry of the rule for deleted users and organizations. */
export const erase = eventEntry('erasure-erase', eraseDeleted);

/** The Lambda entry of the schedule. */
export const sweep = scheduleEntry('erasure-sweep', async () => {
  await startLastRuns();
  await runFinalSweeps();
});
