import { awaitAll } from '../../../kernel/concurrency.ts';
import { offers } from '../../../kernel/pages/offers.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { userPasskeys } from '../passkey/entity.ts';
import { findRelyingParty } from '../relying-party.ts';

const passkeyOffers = offers('passkey-offer');

/**
 * Reports whether a user may be offered a passkey after a sign-in, by two parallel GetItems: the user has none, and has not
 * declined within 30 days, nor three times.
 */
export async function mayOfferPasskey(user: UserRecord): Promise<boolean> {
  if (findRelyingParty() === undefined) return false;
  const [listed, isOpen] = await awaitAll([userPasskeys.get(user.environmentId, user.id), passkeyOffers.isOpen(user)]);
  return isOpen && (listed?.passkeyIds ?? []).length === 0;
}

/** Stages that a user has declined the offer of a passkey. */
export const stagePasskeyOfferDeclined = (unit: Pick<Unit, 'stage'>, user: UserRecord): Promise<void> =>
  passkeyOffers.stageDeclined(unit, user);
