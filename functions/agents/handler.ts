import { httpEntry } from '../kernel/http/entry.ts';
import { agentsArea } from './area.ts';

export const http = httpEntry(agentsArea);
