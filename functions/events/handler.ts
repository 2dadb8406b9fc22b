import { httpEntry } from '../kernel/http/entry.ts';
import { streamEntry } from '../kernel/http/worker.ts';
import { eventsArea } from './area.ts';
import { relay as relayRecords } from './relay/relay.ts';

export const http = httpEntry(eventsArea);
export const relay = streamEntry('events-relay', relayRecords);
