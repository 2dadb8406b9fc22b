import { httpEntry } from '../../kernel/http/entry.ts';
import { authenticationArea } from './area.ts';

export const http = httpEntry(authenticationArea);
