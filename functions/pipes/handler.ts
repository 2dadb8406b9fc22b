import { httpEntry } from '../kernel/http/entry.ts';
import { scheduleEntry } from '../kernel/http/worker.ts';
import { pipesArea } from './area.ts';
import { eraseDeletedIntegrations } from './erasure/work.ts';

export const http = httpEntry(pipesArea);

export const eraseIntegrations = scheduleEntry('pipes-erase-integrations', eraseDeletedIntegrations);
