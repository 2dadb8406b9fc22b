import { clock } from '../../../../kernel/clock.ts';
import { forEachDue } from '../../../../kernel/storage/due.ts';
import { type FactorResetRecord, factorResets, type StopLinkRecord, stopTokens } from './entity.ts';

/** Calls a function with each reset whose time has come. The worker reads it again by {@link findDueReset}. */
export const forEachDueReset = (perform: (reset: FactorResetRecord) => Promise<void>): Promise<void> =>
  forEachDue(factorResets.entity(), perform);

/** A reset that is due, read again; undefined if it was carried out, stopped or cancelled in the meantime. */
export async function findDueReset({
  environmentId,
  id,
  userId,
}: Pick<FactorResetRecord, 'environmentId' | 'id' | 'userId'>): Promise<FactorResetRecord | undefined> {
  const reset = await factorResets.get(environmentId, id, { userId });
  const isDue = reset?.state === 'pending' && reset.dueAt !== undefined && Date.parse(reset.dueAt) <= clock.now();
  return isDue ? reset : undefined;
}

/** A reset that waits, with the link of the mail that stops it. */
export interface StoppableReset {
  link: StopLinkRecord;
  reset: FactorResetRecord;
}

/** Finds the reset that a token stops; undefined if the link or the reset has ended. */
export async function findStoppableReset(token: string): Promise<StoppableReset | undefined> {
  const link = await stopTokens.find(token);
  if (link === undefined) return undefined;
  const reset = await factorResets.get(link.environmentId, link.resetId, { userId: link.userId });
  return reset?.state === 'pending' ? { link, reset } : undefined;
}
