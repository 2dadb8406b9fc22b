import { queueEntry, scheduleEntry } from '../kernel/http/worker.ts';
import { resumeMessages } from './resume.ts';
import { sendMessage } from './send.ts';

/** The Lambda entry of the queue `messages`, whose items name a row: the relay enqueues one for each inserted row. */
export const send = queueEntry<{ environment_id: string; id: string }>('messages-send', ({ environment_id, id }) =>
  sendMessage(environment_id, id),
);

/** The Lambda entry of the schedule. */
export const resume = scheduleEntry('messages-resume', resumeMessages);
