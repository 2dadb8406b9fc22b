import { httpEntry } from '../kernel/http/entry.ts';
import { referenceArea } from './area.ts';

export const http = httpEntry(referenceArea);
