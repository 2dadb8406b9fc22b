import { httpEntry } from '../../kernel/http/entry.ts';
import { connectArea } from './area.ts';

export const http = httpEntry(connectArea);
