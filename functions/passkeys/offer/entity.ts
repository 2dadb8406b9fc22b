import { clock } from '../../kernel/clock.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity } from '../../kernel/storage/entity.ts';
import { ownedRecord } from '../../kernel/storage/record.ts';
import type { UserRecord } from '../../users/public.ts';
import { userPasskeys } from '../passkey/entity.ts';
import { findRelyingParty } from '../relying-party.ts';

/** The user's answers to the offer of a passkey. The id is the user's. */
const PasskeyOfferEntity = entity(
  ownedRecord('passkey-offer', {
    declinedTimes: { type: 'number', required: true },
    declinedAt: { type: 'string', required: true },
  }),
);

/** The answers, by the users' ids. */
export const passkeyOffers = collection(PasskeyOfferEntity, 'internal');

/** Days after which a passkey is offered again to a user who has declined, and the number of times until it never is. */
const QUIET_DAYS = 30;
const MOST_TIMES = 3;

/**
 * Reports whether a user may be offered a passkey after a sign-in, by two parallel GetItems: the user has none, and has not
 * declined within 30 days, nor three times.
 */
export async function mayOfferPasskey({ environmentId, id }: UserRecord): Promise<boolean> {
  if (findRelyingParty() === undefined) return false;
  const [listed, offer] = await Promise.all([
    userPasskeys.get(environmentId, id),
    passkeyOffers.get(environmentId, id),
  ]);
  if ((listed?.passkeyIds ?? []).length > 0) return false;
  if (offer === undefined) return true;
  const isQuiet = clock.now() < Date.parse(offer.declinedAt) + QUIET_DAYS * 86_400_000;
  return offer.declinedTimes < MOST_TIMES && !isQuiet;
}
