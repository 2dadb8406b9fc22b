import { clock } from '../../kernel/clock.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { UserRecord } from '../../users/public.ts';
import { passkeyOffers } from './entity.ts';

/** Stages that a user has declined the offer of a passkey. */
export async function stagePasskeyOfferDeclined(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id }: UserRecord,
): Promise<void> {
  const former = await passkeyOffers.get(environmentId, id);
  const declinedAt = clock.timestamp();
  const { write } =
    former === undefined
      ? passkeyOffers.create({ environmentId, id, owner: ownerKey('user', id), declinedTimes: 1, declinedAt })
      : passkeyOffers.revise(former, { declinedTimes: former.declinedTimes + 1, declinedAt });
  unit.stage(write);
}
