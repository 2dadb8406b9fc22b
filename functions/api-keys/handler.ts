import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry } from '../kernel/http/worker.ts';
import { forgetUser } from './api-key/erasure.ts';
import { apiKeysArea } from './area.ts';

export const http = httpEntry(apiKeysArea);

export const forget = eventEntry('api-keys-forget', ({ environment_id, data }) =>
  forgetUser(environment_id, (data as { id: string }).id),
);
