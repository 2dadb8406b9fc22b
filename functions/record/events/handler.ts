import { httpEntry } from '../../kernel/http/entry.ts';
import { examineDaily } from '../modules/environment-attention/public.ts';
import { eventEntry, scheduleEntry, streamEntry } from '../../kernel/http/worker.ts';
import { eventsArea } from './area.ts';
import { indexWords as index } from '../modules/search/public.ts';
import { relay as relayRecords } from './relay/relay.ts';

export const http = httpEntry(eventsArea);
export const relay = streamEntry('events-relay', relayRecords);
export const examineStage = scheduleEntry('events-examine-stage', examineDaily);
export const indexWords = eventEntry('events-index-words', index);
