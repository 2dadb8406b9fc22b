import { collection } from './collection.ts';
import { entity } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from './record.ts';
import type { Write } from './write.ts';

/**
 * A value that only one record may have: a row of its own, written in the transaction that takes the value, so that
 * two callers cannot both have it. Its id is `<kind>#<value>`.
 */
const UniqueEntity = entity({
  model: model('unique'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The record that has the unique value. */
    holder: { type: 'string', required: true },
  },
  indexes: {
    primary: recordKey('unique'),
    owned: ownedIndex,
  },
});

const values = collection(UniqueEntity, 'internal');

/** A kind of unique value and the value, compared exactly: normalize case before, if the field ignores it. */
export interface UniqueValue {
  environmentId: string;
  /** The kind, such as `organization.external_id`. */
  kind: string;
  value: string;
}

const idOf = ({ kind, value }: UniqueValue): string => `${kind}#${value}`;

/**
 * Claims a value for a record. The write fails if another record has it.
 * @param owner the owner that the value is erased with, see `ownerKey`
 */
export function claim(unique: UniqueValue, holder: string, owner?: string): Write {
  return values.create({ environmentId: unique.environmentId, id: idOf(unique), holder, owner }).write;
}

/** Releases a value; the write fails if this record does not have it. */
export function release(unique: UniqueValue, holder: string): Write {
  return {
    kind: 'Delete',
    params: {
      ...values.keyOf({ environmentId: unique.environmentId, id: idOf(unique) }),
      ConditionExpression: 'holder = :holder',
      ExpressionAttributeValues: { ':holder': holder },
    },
  };
}

/**
 * Releases a value if this record has it, for a holder that may have lost it already. The write fails if another record has
 * it.
 */
export function releaseIfHeld(unique: UniqueValue, holder: string): Write {
  const { kind, params } = release(unique, holder);
  return { kind, params: { ...params, ConditionExpression: 'attribute_not_exists(pk) OR holder = :holder' } };
}

/** The record that has a value, by one strongly consistent GetItem. */
export async function findHolder(unique: UniqueValue): Promise<string | undefined> {
  return (await values.get(unique.environmentId, idOf(unique)))?.holder;
}

/** The holders of values of one environment, in their order, by one strongly consistent BatchGetItem for each hundred. */
export async function findHolders(
  environmentId: string,
  uniques: readonly Omit<UniqueValue, 'environmentId'>[],
): Promise<(string | undefined)[]> {
  const ids = uniques.map((unique) => idOf({ environmentId, ...unique }));
  const found = new Map((await values.getMany(environmentId, [...new Set(ids)])).map(({ id, holder }) => [id, holder]));
  return ids.map((id) => found.get(id));
}

/**
 * Transfers a value from one record to another in one write, which fails if the first does not have it.
 * @param from undefined if no record has the value, which is then claimed
 */
export function transfer(unique: UniqueValue, from: string | undefined, to: string, owner?: string): Write {
  const claimed = claim(unique, to, owner);
  if (from === undefined) return claimed;
  const condition = { ConditionExpression: 'holder = :from', ExpressionAttributeValues: { ':from': from } };
  return { kind: 'Put', params: { ...claimed.params, ...condition } };
}

/**
 * The writes that replace a record's value by another; none if it is unchanged. They fail with the error of `claimed` if
 * another record has it.
 * @param former undefined if the record had no value; `next` is undefined if it will have none
 */
export function moveUnique(
  unique: (value: string) => UniqueValue,
  holder: string,
  { former, next, owner }: { former?: string | undefined; next?: string | undefined; owner: string },
): { released: Write[]; claimed: Write[] } {
  if (former === next) return { released: [], claimed: [] };
  return {
    released: former === undefined ? [] : [release(unique(former), holder)],
    claimed: next === undefined ? [] : [claim(unique(next), holder, owner)],
  };
}
