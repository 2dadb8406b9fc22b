import { httpEntry } from '../../kernel/http/entry.ts';
import { platformArea } from './area.ts';

export const http = httpEntry(platformArea);
