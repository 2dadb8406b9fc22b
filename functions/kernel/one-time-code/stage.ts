import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import type { Unit } from '../storage/unit.ts';
import { checkCode, type CodeOutcome, newCode, sealCode } from './code.ts';
import { type CodeSubject, type CurrentCode, currentCode, currentCodes, hashSubject } from './entity.ts';

/** The members of a new code, except its subject. */
export interface NewCode {
  /** The id of the record that shows the code; attempts are counted by it. */
  codeId: string;
  /** The owner that the row is erased with, made by `ownerKey`. */
  owner?: string | undefined;
  detail?: string | undefined;
}

/**
 * Stages a new code in place of the previous one; concurrent calls are serialized.
 * @returns the code with its record, whose `updatedAt` is the start of its lifetime
 */
export async function stageCode(
  unit: Unit<never>,
  place: CodeSubject,
  { codeId, owner, detail }: NewCode,
): Promise<{ code: string; record: CurrentCode }> {
  const { environmentId } = place;
  const code = newCode();
  const at = clock.timestamp();
  const [former, sealed] = await awaitAll([currentCode(place), sealCode(environmentId, codeId, code, at)]);
  const fields = { ...sealed, codeUsedAt: undefined, detail };
  const { record, write } =
    former === undefined
      ? currentCodes.create({ environmentId, id: hashSubject(place), owner, ...fields }, at)
      : // The subject may belong to another user in the meantime, since a user can change the address.
        currentCodes.revise(former, { ...fields, owner }, at);
  unit.stage(write);
  return { code, record };
}

/**
 * Compares an entered code with the subject's current code, and stages its use if it is valid. Of two calls with the
 * correct code, the one that commits second reads again and finds it used. See {@link checkCode} for attempts.
 * @param codeId the id of the expected code: the result is `expired` if another one has replaced it, without counting an
 * attempt
 */
export async function useCode(
  unit: Unit<never>,
  place: CodeSubject,
  entered: string,
  codeId?: string,
): Promise<{ outcome: CodeOutcome; record: CurrentCode | undefined }> {
  const record = await currentCode(place);
  if (codeId !== undefined && record?.codeId !== codeId) return { outcome: 'expired', record };
  const outcome = await checkCode(unit, place.environmentId, record, entered, hashSubject(place));
  if (outcome === 'valid' && record !== undefined) {
    unit.stage(currentCodes.revise(record, { codeUsedAt: clock.timestamp() }).write);
  }
  return { outcome, record };
}
