import { httpEntry } from '../../kernel/http/entry.ts';
import { queueEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { messagesArea } from './area.ts';
import { recordReport } from './feedback/record.ts';
import { readReport } from './feedback/report.ts';
import { retryMessages } from './retry.ts';
import { sendMessage } from './send.ts';

export const http = httpEntry(messagesArea);

/** The Lambda entry of the queue `messages`, whose items name a row. The relay enqueues one for each inserted row. */
export const send = queueEntry<{ environment_id: string; id: string }>('messages-send', ({ environment_id, id }) =>
  sendMessage(environment_id, id),
);

/** The Lambda entry of the queue `mail-feedback`, whose items are events of SES. */
export const feedback = queueEntry<unknown>('messages-feedback', (event) => recordReport(readReport(event)));

/** The Lambda entry of the scheduled worker. */
export const retry = scheduleEntry('messages-retry', retryMessages);
