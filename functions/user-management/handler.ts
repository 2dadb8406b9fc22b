import { httpEntry } from '../kernel/http/entry.ts';
import { userManagementArea } from './area.ts';

export const http = httpEntry(userManagementArea);
