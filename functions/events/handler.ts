import { httpEntry } from '../kernel/http/entry.ts';
import { streamEntry } from '../kernel/http/worker.ts';
import { events } from './area.ts';
import { relay as relayRecords } from './relay/relay.ts';

export const http = httpEntry(events);
export const relay = streamEntry('events-relay', relayRecords);
