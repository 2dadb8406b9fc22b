import { revokeKeysOfEarlierHolder, revokeKeysOfUser } from '../api-keys/public.ts';
import type { BusDetail } from '../kernel/http/worker.ts';
import { eraseOwned } from '../kernel/storage/erasure.ts';
import { ownerKey } from '../kernel/storage/record.ts';
import { removeConnectionsOfEarlierHolder, removeConnectionsOfUser } from '../pipes/public.ts';
import { tellsOfProof } from '../email-proofs/public.ts';
import { eraseUser } from '../memberships/public.ts';

/** Removes a part of what belonged to a deleted record. May run again. */
type Eraser = (environmentId: string, id: string) => Promise<void>;

/** What is removed when a record is deleted, each by the area that knows it. */
const erasers: Readonly<Record<string, readonly Eraser[]>> = {
  'user.deleted': [eraseUser, revokeKeysOfUser, removeConnectionsOfUser],
  'organization.deleted': [(environmentId, id) => eraseOwned(environmentId, ownerKey('organization', id))],
};

/** What is removed when an address is proved for the first time: what was added to the account before. */
const ofEarlierHolder: readonly Eraser[] = [revokeKeysOfEarlierHolder, removeConnectionsOfEarlierHolder];

/**
 * Removes what belonged to a deleted user or organization, or to an account from before its address was proved. An area
 * whose part fails keeps no other from its own; the event is tried again then.
 */
export async function eraseDeleted(detail: BusDetail): Promise<void> {
  const { environment_id, event, data, organization_id } = detail;
  const parts = tellsOfProof(detail) ? ofEarlierHolder : (erasers[event] ?? []);
  if (parts.length === 0) return;
  const id = event === 'organization.deleted' ? organization_id : (data as { id?: string } | undefined)?.id;
  if (id === undefined) throw new Error(`${event} names no record`);
  const ends = await Promise.allSettled(parts.map((erase) => erase(environment_id, id)));
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} parts of ${event} failed`);
}
