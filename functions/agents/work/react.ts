import { systemActor } from '../../kernel/authentication/caller.ts';
import type { BusDetail } from '../../kernel/http/worker.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { listLinked } from '../instance/link.ts';
import { type Ended, sessionsEnd } from './end.ts';

/** The events after which delegated sessions end. */
export const ENDING_EVENTS = [
  'session.revoked',
  'organization_membership.updated',
  'organization_membership.deleted',
] as const;

/** Finds what an event has ended; undefined if it has ended nothing. */
function findEnded({ event, data, created_at: until }: BusDetail): Ended | undefined {
  const { id, status } = (data ?? {}) as { id?: string; status?: string };
  if (id === undefined) return undefined;
  if (event === 'session.revoked') return { below: 'session', id };
  if (event === 'organization_membership.deleted') return { below: 'membership', id, removes: true };
  return status === 'active' ? undefined : { below: 'membership', id, until };
}

/**
 * Ends what was delegated by a user's session that was revoked, or by a member who was deactivated or removed: a reactivation does
 * not revive it. One Query if nothing was delegated.
 */
export async function endDelegated(detail: BusDetail): Promise<void> {
  const ended = findEnded(detail);
  const { environment_id: environmentId } = detail;
  if (ended === undefined) return;
  if ((await listLinked(environmentId, ended.id, { scan: 'asc', limit: 1 })).length === 0) return;
  await applyWork(environmentId, systemActor, async (unit) => sessionsEnd.stage(unit, environmentId, ended));
}
