import { systemActor } from '../../../kernel/authentication/caller.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { listLinked } from '../instance/link.ts';
import { type Ended, sessionsEnd } from './end.ts';

/** The events after which delegated sessions must end. */
export const ENDING_EVENTS = [
  'session.revoked',
  'organization_membership.updated',
  'organization_membership.deleted',
] as const;

/** Finds the record that an event has ended; undefined if the event has ended none. */
function findEnded({ event, data, created_at: until }: BusDetail): Ended | undefined {
  const { id, status } = (data ?? {}) as { id?: string; status?: string };
  if (id === undefined) return undefined;
  if (event === 'session.revoked') return { below: 'session', id };
  if (event === 'organization_membership.deleted') return { below: 'membership', id, removes: true };
  return status === 'active' ? undefined : { below: 'membership', id, until };
}

/**
 * Ends the sessions that were delegated by a revoked session of a user, or by a deactivated or removed member. They stay
 * ended after a reactivation. It takes one Query if nothing was delegated.
 */
export async function endDelegated(detail: BusDetail): Promise<void> {
  const ended = findEnded(detail);
  const { environment_id: environmentId } = detail;
  if (ended === undefined) return;
  if ((await listLinked(environmentId, ended.id).take(1)).length === 0) return;
  await applyWork(environmentId, systemActor, async (unit) => sessionsEnd.stage(unit, environmentId, ended));
}
