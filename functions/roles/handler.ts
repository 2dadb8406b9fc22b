import { httpEntry } from '../kernel/http/entry.ts';
import { rolesArea } from './area.ts';

export const http = httpEntry(rolesArea);
