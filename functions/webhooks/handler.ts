import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry, queueEntry, scheduleEntry } from '../kernel/http/worker.ts';
import { webhooksArea } from './area.ts';
import { deliver } from './delivery/deliver.ts';
import { dispatchEvent } from './delivery/dispatch.ts';
import { enqueueDue } from './delivery/due.ts';

export const http = httpEntry(webhooksArea);
export const dispatch = eventEntry('webhooks-dispatch', dispatchEvent);
export const delivery = queueEntry('webhooks-delivery', deliver);
export const due = scheduleEntry('webhooks-due', enqueueDue);
