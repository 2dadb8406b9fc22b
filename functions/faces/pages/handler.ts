import { httpEntry } from '../../kernel/http/entry.ts';
import { pagesArea } from './area.ts';

export const http = httpEntry(pagesArea);
