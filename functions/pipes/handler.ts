import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry, scheduleEntry } from '../kernel/http/worker.ts';
import { pipesArea } from './area.ts';
import { forgetUser, sweepIntegrations } from './erasure/work.ts';

export const http = httpEntry(pipesArea);

export const forget = eventEntry('pipes-forget', async ({ environment_id, data }) => {
  const { id } = data as { id?: string };
  if (id !== undefined) await forgetUser(environment_id, id);
});

export const sweep = scheduleEntry('pipes-sweep', sweepIntegrations);
