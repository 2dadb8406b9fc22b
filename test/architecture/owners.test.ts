import { beforeAll, describe, expect, test } from '@jest/globals';

import { ownedAttributes, ownedIndex, perhapsOwnedAttributes } from '../../functions/kernel/storage/record.ts';
import { compareRemaining, listRemaining, loadSchemas, type Schema } from '../support/remaining-kinds.ts';

let schemas: Schema[];
beforeAll(async () => {
  schemas = await loadSchemas();
});

/** The faults of the service with one more kind of row. */
const compareWith = (planted: Pick<Schema, 'attributes' | 'indexes'>): string[] =>
  compareRemaining([...schemas, { model: { entity: 'planted' }, ...planted }], listRemaining());

test('every kind of row is removed with its owner, or the README of erasure says why it remains and for how long', () => {
  expect(schemas.length).toBeGreaterThan(150);
  expect(compareRemaining(schemas, listRemaining())).toEqual([]);
});

describe('the check of owners reports', () => {
  const missing = ['planted has no owner: add the index ownedIndex, or name it in functions/stage/erasure/README.md'];

  test('a kind of row that is not in the index of owners', () => {
    expect(compareWith({ attributes: {}, indexes: {} })).toEqual(missing);
    expect(compareWith({ attributes: ownedAttributes, indexes: {} })).toEqual(missing);
    expect(compareWith({ attributes: ownedAttributes, indexes: { owned: ownedIndex } })).toEqual([]);
  });

  test('a kind of row that may lack an owner', () => {
    const attributes = { ...perhapsOwnedAttributes, expiresAt: {} };
    expect(compareWith({ attributes, indexes: { owned: ownedIndex } })).toEqual(missing);
  });

  test('an entry of the README without need, or whose rows do not expire', () => {
    const entry = { days: undefined, names: undefined };
    const listed = [...listRemaining(), { kind: 'user', ...entry }, { kind: 'unknown', ...entry }];
    expect(compareRemaining(schemas, listed)).toEqual([
      'user has an owner and is listed',
      'unknown is listed and is no kind of row',
    ]);
    const planted = { model: { entity: 'planted' }, attributes: {}, indexes: {} };
    expect(
      compareRemaining([...schemas, planted], [...listRemaining(), { kind: 'planted', days: 1, names: undefined }]),
    ).toEqual(['planted does not expire']);
  });
});
