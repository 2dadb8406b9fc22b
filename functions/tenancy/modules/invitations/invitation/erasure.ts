import { clock } from '../../../../kernel/clock.ts';
import { systemActor } from '../../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../../kernel/storage/background.ts';
import { releaseIfHeld } from '../../../../kernel/storage/unique.ts';
import { invitations, openPlace, releaseToken } from './entity.ts';
import { computeState } from './rules.ts';
import { currentPayload } from './token.ts';

/** Number of invitations in one transaction, with four writes each. */
const AT_ONCE = 15;

/**
 * Removes the invitations to the address of a deleted user that are older than the deletion, so that neither a list nor a link has
 * the address any more. The pending ones are revoked, with `invitation.revoked`. It may run again.
 * @param deletedAt the time of the deletion (ISO 8601)
 */
export async function eraseInvitationsTo(environmentId: string, email: string, deletedAt: string): Promise<void> {
  const found = await invitations.list('byEmail', { environmentId, email }).toArray();
  const ids = found.flatMap(({ id, createdAt }) => (createdAt <= deletedAt ? [id] : []));
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await applyWork(environmentId, systemActor, async (unit) => {
      for (const record of await invitations.getMany(environmentId, ids.slice(at, at + AT_ONCE))) {
        const { id, organizationId } = record;
        unit.stage([invitations.remove(record), ...releaseToken(record)]);
        if (computeState(record, clock.now()) === 'pending') {
          const payload = currentPayload({ ...record, revokedAt: clock.timestamp() });
          unit.emit('invitation.revoked', payload, { organizationId });
        }
        if (record.acceptedAt === undefined && record.revokedAt === undefined) {
          unit.stage(releaseIfHeld(openPlace(environmentId, record), id));
        }
      }
    });
  }
}
