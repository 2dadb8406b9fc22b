import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry, streamEntry } from '../kernel/http/worker.ts';
import { eventsArea } from './area.ts';
import { indexWords as index } from '../search/public.ts';
import { relay as relayRecords } from './relay/relay.ts';

export const http = httpEntry(eventsArea);
export const relay = streamEntry('events-relay', relayRecords);
export const indexWords = eventEntry('events-index-words', index);
