import { clock } from '../clock.ts';
import { sha256Hex } from '../keys/hash.ts';
import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../storage/record.ts';
import type { Unit } from '../storage/unit.ts';
import { checkCode, codeAttributes, type CodeOutcome, newCode, sealCode } from './code.ts';

/**
 * The code that somebody can use at present for a purpose: one row a subject and purpose, so that a new code kills the one
 * before by standing in its place.
 */
const CurrentCodeEntity = entity({
  model: model('current-code'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...codeAttributes,
    /** What else the code stands for, such as the new address of an email change. */
    detail: { type: 'string' },
  },
  indexes: { primary: recordKey('current-code'), owned: ownedIndex },
});

export type CurrentCode = RecordOf<typeof CurrentCodeEntity>;

const currentCodes = collection(CurrentCodeEntity);

/** Whose code it is and for what. */
export interface CodeSubject {
  environmentId: string;
  /** `magic-auth` and the like. */
  purpose: string;
  /** A user's id or an address; case folded where the field ignores it. */
  subject: string;
}

const idOf = ({ purpose, subject }: CodeSubject): string => sha256Hex(JSON.stringify([purpose, subject]));

/** The code that stands, used or expired ones included: one strongly consistent GetItem. */
export const currentCode = (place: CodeSubject): Promise<CurrentCode | undefined> =>
  currentCodes.get(place.environmentId, idOf(place));

/** What a new code is beside its subject. */
export interface NewCode {
  /** The id of the record that shows the code; tries are counted by it. */
  codeId: string;
  /** With whom the row goes, made by `ownerKey`. */
  owner?: string | undefined;
  detail?: string | undefined;
}

/**
 * Stages a new code in place of the one before; two at the same time come one after the other.
 * @returns the code with its record, whose `updatedAt` is the moment from which its life is reckoned
 */
export async function stageCode(
  unit: Unit<never>,
  place: CodeSubject,
  { codeId, owner, detail }: NewCode,
): Promise<{ code: string; record: CurrentCode }> {
  const { environmentId } = place;
  const code = newCode();
  const at = clock.timestamp();
  const [former, sealed] = await Promise.all([currentCode(place), sealCode(environmentId, codeId, code, at)]);
  const fields = { ...sealed, codeUsedAt: undefined, detail };
  const { record, write } =
    former === undefined
      ? currentCodes.create({ environmentId, id: idOf(place), owner, ...fields }, at)
      : // The subject may be another owner's by now: an address that changed hands.
        currentCodes.revise(former, { ...fields, owner }, at);
  unit.stage(write);
  return { code, record };
}

/**
 * Compares what somebody entered with the subject's current code, and stages its use when it is valid: of two calls with
 * the right code, the one that commits second reads again and finds it used. See {@link checkCode} for tries.
 * @param codeId Of the code that is meant: `expired` where another one has its place, without a try.
 */
export async function useCode(
  unit: Unit<never>,
  place: CodeSubject,
  entered: string,
  codeId?: string,
): Promise<{ outcome: CodeOutcome; record: CurrentCode | undefined }> {
  const record = await currentCode(place);
  if (codeId !== undefined && record?.codeId !== codeId) return { outcome: 'expired', record };
  const outcome = await checkCode(unit, place.environmentId, record, entered, idOf(place));
  if (outcome === 'valid' && record !== undefined) {
    unit.stage(currentCodes.revise(record, { codeUsedAt: clock.timestamp() }).write);
  }
  return { outcome, record };
}
