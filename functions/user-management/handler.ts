import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry } from '../kernel/http/worker.ts';
import { userManagementArea } from './area.ts';
import { eraseUser } from './user/erasure.ts';

export const http = httpEntry(userManagementArea);

export const erase = eventEntry('user-management-erase', ({ environment_id, data }) =>
  eraseUser(environment_id, (data as { id: string }).id),
);
