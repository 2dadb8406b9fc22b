import { sha256Hex } from '../keys/hash.ts';
import { collection } from '../storage/collection.ts';
import { ownedRecord, perhapsOwnedAttributes } from '../storage/record.ts';
import { type RecordOf, entity } from '../storage/entity.ts';
import { codeAttributes } from './code.ts';

/**
 * The current code of a subject for a purpose. Each subject and purpose has one row, so a new code invalidates the previous
 * one by replacing its row.
 */
const CurrentCodeEntity = entity(
  ownedRecord('current-code', {
    ...perhapsOwnedAttributes,
    ...codeAttributes,
    /** Data that the code confirms, such as the new address of an email change. */
    detail: { type: 'string' },
  }),
);

export type CurrentCode = RecordOf<typeof CurrentCodeEntity>;

export const currentCodes = collection(CurrentCodeEntity, 'internal');

/** The subject and purpose of a code. */
export interface CodeSubject {
  environmentId: string;
  /** The purpose, such as `magic-auth`. */
  purpose: string;
  /** The subject: a user's id, or an address (in lower case if its case does not matter). */
  subject: string;
}

/** The id of the row of a subject and purpose. */
export const hashSubject = ({ purpose, subject }: CodeSubject): string => sha256Hex(JSON.stringify([purpose, subject]));

/** Reads the current code, even if it is used or expired, by one strongly consistent GetItem. */
export const currentCode = (place: CodeSubject): Promise<CurrentCode | undefined> =>
  currentCodes.get(place.environmentId, hashSubject(place));
