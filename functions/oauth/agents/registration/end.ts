import { DAY_MS } from '../../../kernel/durations.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { dueOn, forEachDue } from '../../../kernel/storage/due.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { stageRevocationById } from '../../../access/api-keys/public.ts';
import { usersOfOrganization } from '../../../tenancy/modules/memberships/public.ts';
import { stageRemovalById } from '../../../tenancy/organizations/public.ts';
import { findRegistration, type RegistrationRecord, registrations } from './entity.ts';
import { statusAt } from './rules.ts';
import { presentName } from './schema.ts';

/** Time in ms for which an expired registration is shown before it is removed. */
const KEPT_MS = 7 * DAY_MS;

/**
 * Stores that registrations have expired, each with its event, and removes them a week later. Responses show the status `expired`
 * before that too.
 */
export const expireRegistrations = (): Promise<void> =>
  forEachDue(registrations.entity(), async ({ environmentId, id }) => {
    await applyWork(environmentId, systemActor, async (unit) => {
      const record = await findRegistration(environmentId, id);
      const now = clock.now();
      if (record?.dueAt === undefined || Date.parse(record.dueAt) > now) return;
      if (record.status === 'expired') await stageEnd(unit, record);
      else if (statusAt(record, now) === 'expired') await stageExpiry(unit, record, now);
    });
  });

async function stageExpiry(
  unit: Unit<'agent.registration.expired' | 'api_key.revoked'>,
  record: RegistrationRecord,
  now: number,
): Promise<void> {
  const { environmentId, id, organizationId, apiKeyId } = record;
  await stageRevocationById(unit, environmentId, apiKeyId);
  const changes = { status: 'expired' as const, apiKeyId: undefined, ...dueOn(id, now + KEPT_MS) };
  unit.announce(registrations.revise(record, changes), 'agent.registration.expired', presentName, { organizationId });
}

/**
 * Stages the end of an expired registration. An organization of its own without users is removed, and its erasure then removes the
 * registration with its event.
 */
async function stageEnd(
  unit: Unit<'agent.registration.deleted' | 'organization.deleted'>,
  record: RegistrationRecord,
): Promise<void> {
  const { environmentId, organizationId } = record;
  if (record.ownsOrganization === true && !(await hasUsers(record))) {
    if (await stageRemovalById(unit, environmentId, organizationId)) {
      unit.stage(registrations.revise(record, { dueAt: undefined, dueShard: undefined }).write);
      return;
    }
  }
  const removal = { record, write: registrations.remove(record) };
  unit.announce(removal, 'agent.registration.deleted', presentName, { organizationId });
}

const hasUsers = async ({ environmentId, organizationId }: RegistrationRecord): Promise<boolean> =>
  (await usersOfOrganization(environmentId, organizationId, { scan: 'asc', limit: 1 })).records.length > 0;

/** Removes the registrations of a deleted organization, each with its event. It may run again. */
export async function removeRegistrations(environmentId: string, organizationId: string): Promise<void> {
  for await (const { id } of registrations.list('byOrganization', { environmentId, organizationId })) {
    await applyWork(environmentId, systemActor, async (unit) => {
      const record = await findRegistration(environmentId, id);
      // A claim may have moved the registration to another organization since the index was written.
      if (record === undefined || record.organizationId !== organizationId) return;
      const removal = { record, write: registrations.remove(record) };
      unit.announce(removal, 'agent.registration.deleted', presentName, { organizationId });
    });
  }
}
