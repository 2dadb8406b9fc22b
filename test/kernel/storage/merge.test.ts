import { describe, expect, test } from '@jest/globals';

import { Failure, general } from '../../../functions/kernel/errors.ts';
import { merged } from '../../../functions/kernel/storage/merge.ts';
import type { StagedWrite } from '../../../functions/kernel/storage/write.ts';

const put = (version: number, from?: number, more: Partial<StagedWrite> = {}): StagedWrite => ({
  kind: 'Put',
  params: {
    TableName: 't',
    Item: { pk: 'user', sk: 'record', version },
    ConditionExpression: from === undefined ? 'attribute_not_exists(pk)' : '#version = :version',
    ...(from === undefined ? {} : { ExpressionAttributeNames: { '#version': 'version' } }),
    ...(from === undefined ? {} : { ExpressionAttributeValues: { ':version': from } }),
  },
  ...more,
});

const removal = (from: number): StagedWrite => {
  const { Item: _item, ...params } = put(0, from).params;
  return { kind: 'Delete', params: { ...params, Key: { pk: 'user', sk: 'record' } } };
};

describe('writes of one row in one unit of work', () => {
  test('result in the last state, with the condition of the first write', () => {
    expect(merged([put(2, 1), put(3, 2), put(4, 3)])).toEqual([{ ...put(4, 1), onConditionFailed: undefined }]);
  });

  test('may create the row and revise it', () => {
    expect(merged([put(1), put(2, 1)])).toEqual([
      { kind: 'Put', params: { ...put(2).params }, onConditionFailed: undefined },
    ]);
  });

  test('may remove the row and create it again, or revise and remove it', () => {
    expect(merged([removal(4), put(1)])).toEqual([{ ...put(1, 4), onConditionFailed: undefined }]);
    expect(merged([put(5, 4), removal(5)])).toEqual([{ ...removal(4), onConditionFailed: undefined }]);
  });

  test('fail with the error of the first write that has one', () => {
    const [first, second] = [new Failure(general.unauthorized), new Failure(general.forbidden)];
    expect(merged([put(2, 1, { onConditionFailed: first }), put(3, 2)])[0]?.onConditionFailed).toBe(first);
    expect(
      merged([put(2, 1, { onConditionFailed: first }), put(3, 2, { onConditionFailed: second })])[0]?.onConditionFailed,
    ).toBe(first);
  });

  test('are rejected if a later step would undo an earlier one', () => {
    expect(() => merged([put(2, 1), put(2, 1)])).toThrow('twice');
    expect(() => merged([put(1), put(1)])).toThrow('twice');
  });

  test('replace a condition check of the row, in any order', () => {
    const { TableName } = put(1).params;
    const key = { pk: 'user', sk: 'record' };
    const check: StagedWrite = {
      kind: 'ConditionCheck',
      params: { TableName, Key: key, ConditionExpression: 'attribute_exists(pk)' },
    };
    expect(merged([check, put(2, 1), check])).toEqual([put(2, 1)]);
    expect(merged([check, check])).toEqual([check]);
  });

  test('do not affect other rows and updates of single members', () => {
    const other = put(2, 1);
    const update: StagedWrite = { kind: 'Update', params: { TableName: 't', Key: { pk: 'user', sk: 'other' } } };
    const writes = [
      other,
      { ...other, params: { ...other.params, Item: { pk: 'another', sk: 'record', version: 2 } } },
    ];
    const again = { ...update };
    expect(merged([...writes, update, again])).toEqual([...writes, update, again]);
  });
});
