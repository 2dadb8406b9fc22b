import { httpEntry } from '../../kernel/http/entry.ts';
import { mfaArea } from './area.ts';

export const http = httpEntry(mfaArea);
