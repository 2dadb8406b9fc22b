import { systemActor } from '../../../../kernel/authentication/caller.ts';
import { acceptConflict, applyWork } from '../../../../kernel/storage/background.ts';
import { addPhone } from '../../../../kernel/storage/phone-words.ts';
import { moveWords } from '../../../../kernel/storage/search.ts';
import { Unit } from '../../../../kernel/storage/unit.ts';
import type { Write } from '../../../../kernel/storage/write.ts';
import { findFactors } from '../../../../proofs/mfa/public.ts';
import { listUsers } from '../../../../tenancy/modules/users/public.ts';
import { WORDS } from '../hit/kinds.ts';

/** The progress of the command. */
export interface Moved {
  /** Rows of words that were moved. */
  words: number;
  /** Phone numbers that were added. */
  phones: number;
}

const PAGE = 100;

/**
 * Moves the words of an earlier release to their partitions, and adds the phone numbers of its factors. It may stop at any time and run
 * again.
 */
export async function moveSearchRows(environmentId: string): Promise<Moved> {
  let words = 0;
  for (const kind of WORDS) words += await moveWords(environmentId, kind, (writes) => commit(environmentId, writes));
  return { words, phones: await addPhones(environmentId) };
}

async function commit(environmentId: string, writes: readonly Write[]): Promise<boolean> {
  const unit = new Unit(environmentId, systemActor);
  unit.stage(writes);
  const outcome = await unit.commit();
  acceptConflict(outcome, 'a call has changed the record, and its words are where they belong');
  return outcome.kind === 'committed';
}

async function addPhones(environmentId: string): Promise<number> {
  let added = 0;
  let after: string | undefined;
  do {
    const { records, reached } = await listUsers(environmentId, {
      scan: 'asc',
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    for (const { id } of records) added += await addPhonesOfUser(environmentId, id);
    after = reached;
  } while (after !== undefined);
  return added;
}

/** A search reads the factor itself, so the number of a factor that is removed in the same moment is not found. */
async function addPhonesOfUser(environmentId: string, userId: string): Promise<number> {
  const factors = await findFactors(environmentId, userId);
  const writes = factors.flatMap((factor) =>
    factor.phoneNumber === undefined ? [] : [addPhone(factor, factor.phoneNumber)],
  );
  if (writes.length > 0) await applyWork(environmentId, systemActor, async (unit) => unit.stage(writes));
  return writes.length;
}
