import { systemActor } from '../../kernel/authentication/caller.ts';
import { clock } from '../../kernel/clock.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { findDue } from '../../kernel/storage/due.ts';
import { stageRevocationById } from '../../api-keys/public.ts';
import { findRegistration, registrations } from './entity.ts';
import { statusAt } from './rules.ts';
import { presentName } from './schema.ts';

const BATCH = 25;
const PAGE = 50;
/** Time limit of one run of the schedule. */
const RUN_MS = 60_000;

/** Stores that registrations have expired, each with its event. Responses show the status `expired` before that too. */
export async function expireRegistrations(): Promise<void> {
  const startedAt = performance.now();
  const seen = new Set<string>();
  while (performance.now() - startedAt < RUN_MS) {
    const due = (await findDue(registrations.entity(), BATCH)).filter(({ id }) => !seen.has(id) && seen.add(id));
    if (due.length === 0) return;
    for (const { environmentId, id } of due) {
      await applyWork(environmentId, systemActor, async (unit) => {
        const record = await findRegistration(environmentId, id);
        if (record === undefined || record.dueAt === undefined || statusAt(record, clock.now()) !== 'expired') return;
        const changes = {
          status: 'expired' as const,
          apiKeyId: undefined,
          dueAt: undefined,
          dueShard: undefined,
        };
        const { organizationId, apiKeyId } = record;
        await stageRevocationById(unit, environmentId, apiKeyId);
        unit.announce(registrations.revise(record, changes), 'agent.registration.expired', presentName, {
          organizationId,
        });
      });
    }
  }
}

/** Removes the registrations of a deleted organization, each with its event. It may run again. */
export async function removeRegistrations(environmentId: string, organizationId: string): Promise<void> {
  let after: string | undefined;
  do {
    const window = { scan: 'asc', limit: PAGE, ...(after === undefined ? {} : { after }) } as const;
    const listed = await registrations.list('byOrganization', { environmentId, organizationId }, window);
    for (const { id } of listed) {
      await applyWork(environmentId, systemActor, async (unit) => {
        const record = await findRegistration(environmentId, id);
        // A claim may have moved the registration to another organization since the index was written.
        if (record === undefined || record.organizationId !== organizationId) return;
        const removal = { record, write: registrations.remove(record) };
        unit.announce(removal, 'agent.registration.deleted', presentName, { organizationId });
      });
    }
    after = listed.length < PAGE ? undefined : listed.at(-1)?.id;
  } while (after !== undefined);
}
