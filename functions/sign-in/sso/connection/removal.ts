import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { generatedKey, releaseKey } from '../../../kernel/storage/external-key.ts';
import { indexText } from '../../../kernel/storage/search.ts';
import { releaseIfHeld } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type Task, workKind } from '../../../kernel/storage/work.ts';
import { stageConnectionSummary } from '../../../tenancy/modules/organization-sso/public.ts';
import { externalIdOf } from './create-operations.ts';
import { attempts } from '../attempt/entity.ts';
import { profiles } from '../profile/entity.ts';
import { makePerson } from '../profile/stage.ts';
import { type ConnectionRecord, connections } from './entity.ts';
import { presentConnection } from './schema.ts';
import { searchable } from './stage.ts';

/** The work that removes the rows of a deleted connection. */
export const connectionRemoval = workKind<{ connectionId: string }>('sso.remove_connection', { runs: 2 });

/** Marks a connection as deleted, with its event and the removal of its rows. */
export function stageConnectionRemoval(
  unit: Pick<Unit<'connection.deleted'>, 'stage' | 'emit'>,
  former: ConnectionRecord,
): void {
  const { environmentId, organizationId, id: connectionId } = former;
  const { record, write } = connections.revise(former, { state: 'deleting', dueShard: undefined, dueAt: undefined });
  unit.stage(write);
  stageConnectionSummary(unit, { environmentId, organizationId, connectionId }, undefined);
  connectionRemoval.stage(unit, environmentId, { connectionId });
  const { domains: _domains, status: _status, ...data } = presentConnection(record, undefined);
  unit.emit('connection.deleted', data as never, { organizationId });
}

const PROFILES_A_STEP = 25;

/** Removes the rows of a deleted connection: its profiles first, page by page, then its own rows with its unique values. */
export async function removeConnection(task: Task<{ connectionId: string }>): Promise<string | undefined> {
  const { environmentId, data } = task;
  const { connectionId } = data;
  const found = await profiles.list('byConnection', { environmentId, connectionId }).take(PROFILES_A_STEP);
  if (found.length === 0) {
    const stored = await attempts.list('primary', { environmentId, connectionId }).take(PROFILES_A_STEP);
    if (stored.length === 0) return removeRow(task);
    await applyWork(environmentId, systemActor, async (unit) => {
      unit.stage(stored.map(({ id }) => attempts.removeByKey({ environmentId, connectionId, id })));
    });
    return stored.at(-1)?.id ?? '';
  }
  await applyWork(environmentId, systemActor, async (unit) => {
    const ids = found.map(({ id }) => id);
    for (const profile of await profiles.getMany(environmentId, ids)) {
      unit.stage([profiles.remove(profile), releaseIfHeld(makePerson(profile, profile.idpId), profile.id)]);
    }
  });
  // The index lags, so the next step may get the same profiles again, whose rows are then missing. The second run finds
  // profiles that the index shows late.
  return found.at(-1)?.id ?? '';
}

async function removeRow({ environmentId, data }: Task<{ connectionId: string }>): Promise<undefined> {
  await applyWork(environmentId, systemActor, async (unit) => {
    const record = await connections.get(environmentId, data.connectionId);
    if (record === undefined) return;
    const { id, externalId, externalKey, name } = record;
    unit.stage([connections.remove(record), ...indexText(searchable(record), name, '')]);
    if (externalId !== undefined) unit.stage(releaseIfHeld(externalIdOf(environmentId, externalId), id));
    if (externalKey !== generatedKey(environmentId, id)) unit.stage(releaseKey(record, externalKey));
  });
  return undefined;
}
