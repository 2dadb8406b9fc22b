import { httpEntry } from '../../kernel/http/entry.ts';
import { passkeysArea } from './area.ts';

export const http = httpEntry(passkeysArea);
