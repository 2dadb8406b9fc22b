import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry } from '../kernel/http/worker.ts';
import { tellsOfProof } from '../user-management/public.ts';
import { forgetEarlierHolder, forgetUser } from './api-key/erasure.ts';
import { apiKeysArea } from './area.ts';

export const http = httpEntry(apiKeysArea);

export const forget = eventEntry('api-keys-forget', async (detail) => {
  const { id } = detail.data as { id: string };
  if (detail.event === 'user.deleted') await forgetUser(detail.environment_id, id);
  if (tellsOfProof(detail)) await forgetEarlierHolder(detail.environment_id, id);
});
