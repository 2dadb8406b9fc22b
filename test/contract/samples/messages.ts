import { randomUUID } from 'node:crypto';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { recipientHash } from '../../../functions/kernel/messages/entity.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { stageSuppression } from '../../../functions/outbound/messages/suppression/stage.ts';
import type { Api, AreaSamples } from './sample.ts';

/** A suppressed address; the worker that records reports of SES does not run here. */
const suppression = async ({ environmentId }: Api): Promise<Record<string, string>> => {
  const email = `${randomUUID()}@acme.example`;
  const unit = new Unit(environmentId, systemActor);
  const id = await stageSuppression(unit, {
    environmentId,
    email,
    recipient: recipientHash(environmentId, email),
    reason: 'bounce',
    detail: 'NoEmail',
    messageId: newId('message'),
  });
  await unit.commit();
  return { id };
};

export const messageSamples: AreaSamples = {
  params: { '/x/messages/suppressions/{id}': suppression },
  queries: { 'messages.list': { to: 'ada@acme.example' } },
};
