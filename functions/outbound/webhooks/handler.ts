import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry, queueEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { webhooksArea } from './area.ts';
import { deliver as deliverEvent } from './delivery/deliver.ts';
import { dispatchEvent } from './delivery/dispatch.ts';
import { enqueueRetries } from './delivery/retry.ts';

export const http = httpEntry(webhooksArea);
export const dispatch = eventEntry('webhooks-dispatch', dispatchEvent);
export const deliver = queueEntry('webhooks-deliver', deliverEvent);
export const retry = scheduleEntry('webhooks-retry', enqueueRetries);
