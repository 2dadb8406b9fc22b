import { revokeKeysOfUser } from '../api-keys/public.ts';
import type { BusDetail } from '../kernel/http/worker.ts';
import { eraseOwned } from '../kernel/storage/erasure.ts';
import { ownerKey } from '../kernel/storage/record.ts';
import { removeConnectionsOfUser } from '../pipes/public.ts';
import { eraseUser } from '../user-management/public.ts';

/** Removes a part of what belonged to a deleted record. May run again. */
type Eraser = (environmentId: string, id: string) => Promise<void>;

/** What is removed after a user or an organization is deleted, each by the area that knows it. */
const erasers: Readonly<Record<string, readonly Eraser[]>> = {
  'user.deleted': [eraseUser, revokeKeysOfUser, removeConnectionsOfUser],
  'organization.deleted': [(environmentId, id) => eraseOwned(environmentId, ownerKey('organization', id))],
};

/**
 * Removes what belonged to a deleted user or organization. An area whose part fails keeps no other from its own; the event is
 * tried again then.
 */
export async function eraseDeleted({ environment_id, event, data, organization_id }: BusDetail): Promise<void> {
  const id = event === 'organization.deleted' ? organization_id : (data as { id?: string } | undefined)?.id;
  if (id === undefined) throw new Error(`${event} names no record`);
  const ends = await Promise.allSettled((erasers[event] ?? []).map((erase) => erase(environment_id, id)));
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} parts of ${event} failed`);
}
