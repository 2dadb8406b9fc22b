import { httpEntry } from '../kernel/http/entry.ts';
import { vaultArea } from './area.ts';

export const http = httpEntry(vaultArea);
