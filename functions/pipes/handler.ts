import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry, scheduleEntry } from '../kernel/http/worker.ts';
import { pipesArea } from './area.ts';
import { tellsOfProof } from '../user-management/public.ts';
import { forgetEarlierHolder, forgetUser, sweepIntegrations } from './erasure/work.ts';

export const http = httpEntry(pipesArea);

export const forget = eventEntry('pipes-forget', async (detail) => {
  const { id } = detail.data as { id: string };
  if (detail.event === 'user.deleted') await forgetUser(detail.environment_id, id);
  if (tellsOfProof(detail)) await forgetEarlierHolder(detail.environment_id, id);
});

export const sweep = scheduleEntry('pipes-sweep', sweepIntegrations);
