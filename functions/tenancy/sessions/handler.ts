import { httpEntry } from '../../kernel/http/entry.ts';
import { sessionsArea } from './area.ts';

export const http = httpEntry(sessionsArea);
