import { DAY_MS } from '../../../kernel/durations.ts';
import { clock } from '../../../kernel/clock.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { indexText, type Searchable } from '../../../kernel/storage/search.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { stageConnectionSummary } from '../../../tenancy/modules/organization-sso/public.ts';
import { type ConnectionRecord, connections } from './entity.ts';
import type { isComplete } from './rules.ts';
import { hasOnlyExpired } from './rules.ts';
import { presentForEvent } from './schema.ts';

/** The events of a change between active and inactive. */
export const passageEvents = ['connection.activated', 'connection.deactivated'] as const;

/** A unit of work that changes connections. */
export type ConnectionUnit = Pick<Unit<(typeof passageEvents)[number]>, 'stage' | 'emit'>;

type Organization = Pick<OrganizationSummary, 'presented'> | undefined;

/** The search row of a connection, by its name. */
export const searchable = ({ environmentId, id, organizationId }: ConnectionRecord): Searchable => ({
  environmentId,
  kind: 'connection',
  id,
  owner: ownerKey('organization', organizationId),
});

/** The part of a connection that sign-ins in its organization need. */
export const summaryIn = ({ type, name, state, hasLapsed }: ConnectionRecord) => ({
  type,
  name,
  state,
  ...(hasLapsed === true ? { hasLapsed } : {}),
});

/** The time of the next check of certificates and metadata: in a day, spread over an hour by the id. */
export const nextCheck = (id: string): { dueShard: string; dueAt: string } =>
  dueOn(id, clock.now() + DAY_MS - (id.charCodeAt(id.length - 1) % 60) * 60_000);

/** The state of an enabled connection: active, or inactive without an unexpired certificate. */
export function switchedOn(parts: Parameters<typeof isComplete>[0]) {
  return hasOnlyExpired(parts, clock.now())
    ? { state: 'inactive' as const, hasLapsed: true }
    : { state: 'active' as const, hasLapsed: undefined };
}

/**
 * Stages a changed connection with its summary and, if it becomes active or inactive, the event.
 * @param unit the unit of work of an operation or worker that declares these events
 * @param updatedAt the time that the connection shows; the current one by default
 */
export function stageConnectionChange(
  unit: ConnectionUnit,
  former: ConnectionRecord,
  changes: Parameters<typeof connections.revise>[1],
  organization: Organization,
  updatedAt?: string,
): ConnectionRecord {
  const { record, write } = connections.revise(former, changes, updatedAt);
  unit.stage(write);
  if (record.name !== former.name) unit.stage(indexText(searchable(record), former.name, record.name));
  const { environmentId, organizationId, id: connectionId } = record;
  if (JSON.stringify(summaryIn(record)) !== JSON.stringify(summaryIn(former))) {
    stageConnectionSummary(unit, { environmentId, organizationId, connectionId }, summaryIn(record));
  }
  emitPassage(unit, former.state, record, organization);
  return record;
}

/** Emits the event if a connection becomes active or inactive. */
export function emitPassage(
  unit: ConnectionUnit,
  former: ConnectionRecord['state'] | undefined,
  record: ConnectionRecord,
  organization: Organization,
): void {
  const [was, is] = [former === 'active', record.state === 'active'];
  if (was === is) return;
  const { organizationId } = record;
  const data = presentForEvent(record, organization);
  unit.emit(is ? 'connection.activated' : 'connection.deactivated', data, { organizationId });
}
