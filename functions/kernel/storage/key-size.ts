import { Failure, general } from '../errors.ts';
import type { RowKey } from './row.ts';

/** The limits of DynamoDB on the two parts of a key, in bytes. */
const MOST = { partition: 2_048, sort: 1_024 } as const;

type Part = keyof typeof MOST;

const isShort = (text: string, part: Part): boolean =>
  text.length * 3 <= MOST[part] || Buffer.byteLength(text) <= MOST[part];

/** Reports whether a partition can have a key. No row has any other, so a list of one is empty. */
export const isPartitionKey = (pk: string): boolean => pk !== '' && isShort(pk, 'partition');

/** Reports whether a row can have a key. A read by any other returns nothing. */
export const isRowKey = ({ pk, sk }: RowKey): boolean => isPartitionKey(pk) && sk !== '' && isShort(sk, 'sort');

/**
 * Rejects a key that is too long although none of its parts is.
 * @param names the attributes that it is made of
 * @throws Failure that names the longest of them, as a member of the API
 */
export function checkKeySize(
  text: string,
  part: Part,
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
): void {
  if (isShort(text, part)) return;
  const length = (name: string): number => {
    const value = values[name];
    return typeof value === 'string' ? Buffer.byteLength(value) : 0;
  };
  const [longest = ''] = names.toSorted((one, other) => length(other) - length(one));
  const field = longest.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const message = 'is too long together with the other values that identify the record: use a shorter one';
  throw new Failure(general.invalidParameters, { issues: [{ field, code: 'too_big', message }] });
}
