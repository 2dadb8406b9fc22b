import * as z from 'zod';

import { systemActor } from '../../kernel/authentication/caller.ts';
import { EventContextActor } from '../../kernel/events/catalogue/context.ts';
import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { vaultArea } from './area.ts';
import { shred as shredKey, signReceipts as signDueReceipts } from './shredding/work.ts';

export const http = httpEntry(vaultArea);

const Deletion = z.object({ actor: EventContextActor.default(systemActor) });

export const shred = eventEntry('vault-shred', async ({ environment_id, organization_id, context }) => {
  const { actor } = Deletion.parse(context ?? {});
  if (organization_id !== undefined) await shredKey(environment_id, organization_id, actor);
});

export const signReceipts = scheduleEntry('vault-sign-receipts', signDueReceipts);
