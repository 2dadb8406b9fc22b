import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { decodeAttributes, encodeAttributes } from '../../../functions/kernel/storage/attribute-values.ts';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.string(), fc.option(tie('any'), { nil: undefined }), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;
const row = fc.dictionary(fc.string(), value, { maxKeys: 6, noNullPrototype: true });

describe('a row in the form of DynamoDB', () => {
  test('is the same as that of the SDK, in both directions', () => {
    fc.assert(
      fc.property(row, (members) => {
        const encoded = encodeAttributes(members);
        expect(encoded).toEqual(marshall(members, { removeUndefinedValues: true }));
        expect(decodeAttributes(JSON.parse(JSON.stringify(encoded)) as never)).toEqual(unmarshall(encoded as never));
      }),
    );
  });

  test('has bytes as base64, and sets of texts and numbers', () => {
    const members = { bytes: new Uint8Array([0, 255, 7]), texts: new Set(['a', 'b']), numbers: new Set([1, 2]) };
    const encoded = encodeAttributes(members);
    expect(encoded).toEqual({ bytes: { B: 'AP8H' }, texts: { SS: ['a', 'b'] }, numbers: { NS: ['1', '2'] } });
    expect(decodeAttributes(encoded)).toEqual(members);
    expect(encodeAttributes({ part: Buffer.from('abcdef').subarray(2, 4) })).toEqual({ part: { B: 'Y2Q=' } });
  });

  test('keeps integers that JavaScript does not have exactly', () => {
    const large = 2n ** 70n;
    expect(decodeAttributes(encodeAttributes({ large }))).toEqual({ large });
  });

  test.each([
    ['a number that is none', NaN],
    ['a number without an end', Infinity],
    ['an integer that is not exact', 2 ** 60],
    ['a date', new Date(0)],
    ['an empty set', new Set()],
    ['a symbol', Symbol('a')],
  ])('cannot contain %s', (_, given) => {
    expect(() => encodeAttributes({ given })).toThrow(TypeError);
  });

  test('cannot be read if it has an unknown form', () => {
    expect(() => decodeAttributes({ given: { X: 'a' } })).toThrow(TypeError);
  });
});
