import { httpEntry } from '../../kernel/http/entry.ts';
import { portalArea } from './area.ts';

export const http = httpEntry(portalArea);
