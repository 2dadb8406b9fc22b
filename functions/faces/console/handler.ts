import { httpEntry } from '../../kernel/http/entry.ts';
import { consoleArea } from './area.ts';

export const http = httpEntry(consoleArea);
