import { httpEntry } from '../../kernel/http/entry.ts';
import { apiKeysArea } from './area.ts';

export const http = httpEntry(apiKeysArea);
