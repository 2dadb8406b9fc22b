import { awaitAll } from '../../../kernel/concurrency.ts';
import { offers } from '../../../kernel/pages/offers.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findFactors } from '../factor/entity.ts';

const factorOffers = offers('factor-offer');

interface Holder {
  environmentId: string;
  id: string;
}

/**
 * Reports whether a user may be offered an authenticator app after a sign-in, by two parallel reads: the user has no proven
 * factor, and has not declined within 30 days, nor three times.
 */
export async function mayOfferFactor(user: Holder): Promise<boolean> {
  const [factors, isOpen] = await awaitAll([findFactors(user.environmentId, user.id), factorOffers.isOpen(user)]);
  return isOpen && factors.every(({ provenAt }) => provenAt === undefined);
}

/** Stages that a user has declined the offer of an authenticator app. */
export const stageFactorOfferDeclined = (unit: Pick<Unit, 'stage'>, user: Holder): Promise<void> =>
  factorOffers.stageDeclined(unit, user);
