import { httpEntry } from '../kernel/http/entry.ts';
import { accountArea } from './area.ts';

export const http = httpEntry(accountArea);
