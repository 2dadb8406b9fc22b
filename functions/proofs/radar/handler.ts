import { httpEntry } from '../../kernel/http/entry.ts';
import { radarArea } from './area.ts';

export const http = httpEntry(radarArea);
