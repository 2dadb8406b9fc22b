import { endAgentsOfOrganization } from '../../oauth/agents/public.ts';
import { revokeKeysOfEarlierHolder, revokeKeysOfUser } from '../../access/api-keys/public.ts';
import { eraseInvitationsTo } from '../../tenancy/modules/invitations/public.ts';
import type { BusDetail } from '../../kernel/events/detail.ts';
import { eraseOwned } from '../../kernel/storage/erasure.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import { removeAccountsOfEarlierHolder, removeAccountsOfUser } from '../../connections/pipes/public.ts';
import { notifiesOfProof } from '../../proofs/modules/email-proofs/public.ts';
import { eraseUser } from '../../tenancy/modules/memberships/public.ts';

/**
 * Removes a part of the data of a deleted record. It may run again.
 * @param detail the event, with the record as it was
 */
type Eraser = (environmentId: string, id: string, detail: BusDetail) => Promise<void>;

const eraseInvitations: Eraser = async (environmentId, _id, { data, created_at: deletedAt }) => {
  const { email } = data as { email?: string };
  if (email !== undefined) await eraseInvitationsTo(environmentId, email, deletedAt);
};

/** The erasures after a record's deletion, by area. */
const erasers: Readonly<Record<string, readonly Eraser[]>> = {
  'user.deleted': [eraseUser, revokeKeysOfUser, removeAccountsOfUser, eraseInvitations],
  'organization.deleted': [
    (environmentId, id) =>
      eraseOwned(environmentId, ownerKey('organization', id), () => endAgentsOfOrganization(environmentId, id)),
  ],
};

/** The erasures after the first proof of an address, which remove data that was added to the account before. */
const ofEarlierHolder: readonly Eraser[] = [revokeKeysOfEarlierHolder, removeAccountsOfEarlierHolder];

/**
 * Removes the data of a deleted user or organization, or the data of an account from before its address was verified. A
 * failure in one area does not stop the others; afterwards the event is retried.
 */
export async function eraseDeleted(detail: BusDetail): Promise<void> {
  const { environment_id, event, data, organization_id } = detail;
  const parts = notifiesOfProof(detail) ? ofEarlierHolder : (erasers[event] ?? []);
  if (parts.length === 0) return;
  const id = event === 'organization.deleted' ? organization_id : (data as { id?: string } | undefined)?.id;
  if (id === undefined) throw new Error(`${event} names no record`);
  const ends = await Promise.allSettled(parts.map((erase) => erase(environment_id, id, detail)));
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} parts of ${event} failed`);
}
