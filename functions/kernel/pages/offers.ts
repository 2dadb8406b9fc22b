import { DAY_MS } from '../durations.ts';
import { clock } from '../clock.ts';
import { collection } from '../storage/collection.ts';
import { entity } from '../storage/entity.ts';
import { ownedRecord, ownerKey } from '../storage/record.ts';
import type { Unit } from '../storage/unit.ts';

/** Days after which an offer is made again to a user who has declined, and the number of times until it never is. */
const QUIET_DAYS = 30;
const MOST_TIMES = 3;

interface Holder {
  environmentId: string;
  id: string;
}

/**
 * Offers that pages make after a sign-in and that a user can decline: none is made within 30 days after that, nor after the
 * third time.
 * @param kind the entity's name, which is a part of the keys and never changes
 */
export function offers(kind: string) {
  const Entity = entity(
    ownedRecord(kind, {
      declinedTimes: { type: 'number', required: true },
      declinedAt: { type: 'string', required: true },
    }),
  );
  const rows = collection(Entity, 'internal');
  return {
    /** Reports whether the offer may be made to a user, by one strongly consistent GetItem. */
    async isOpen({ environmentId, id }: Holder): Promise<boolean> {
      const former = await rows.get(environmentId, id);
      if (former === undefined) return true;
      const isQuiet = clock.now() < Date.parse(former.declinedAt) + QUIET_DAYS * DAY_MS;
      return former.declinedTimes < MOST_TIMES && !isQuiet;
    },

    /** Stages that a user has declined the offer. */
    async stageDeclined(unit: Pick<Unit, 'stage'>, { environmentId, id }: Holder): Promise<void> {
      const former = await rows.get(environmentId, id);
      const declinedAt = clock.timestamp();
      const { write } =
        former === undefined
          ? rows.create({ environmentId, id, owner: ownerKey('user', id), declinedTimes: 1, declinedAt })
          : rows.revise(former, { declinedTimes: former.declinedTimes + 1, declinedAt });
      unit.stage(write);
    },
  };
}
