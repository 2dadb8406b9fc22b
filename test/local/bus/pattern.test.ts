import { describe, expect, test } from '@jest/globals';
import { compilePattern } from '../../../lib/local/bus/pattern.ts';

const event = {
  source: 'gatehouse',
  'detail-type': 'organization.created',
  time: '2026-01-01T00:00:00Z',
  resources: ['arn:a', 'arn:b'],
  detail: {
    name: 'Blue Gate',
    count: 300,
    ratio: -0.5,
    flag: true,
    none: null,
    empty: [],
    address: '10.0.0.77',
    v6: '2001:db8::1',
    tags: ['red', 'green'],
    deep: [[{ id: 'x' }], { id: 'y', kind: 'z' }],
    people: [
      { first: 'John', last: 'Doe' },
      { first: 'Jane', last: 'Jones' },
    ],
  },
};

/** A pattern on the detail of the event above. */
const onDetail = (detail: object) => compilePattern(JSON.stringify({ detail }))(event);

describe('an event pattern matches', () => {
  test.each<[string, object, boolean]>([
    ['an equal string', { name: ['Blue Gate'] }, true],
    ['one of several values', { name: ['no', 'Blue Gate'] }, true],
    ['no string of another case', { name: ['blue gate'] }, false],
    ['an equal number', { count: [3e2] }, true],
    ['no number written as a string', { count: ['300'] }, false],
    ['true', { flag: [true] }, true],
    ['null', { none: [null] }, true],
    ['no absent field by null', { missing: [null] }, false],
    ['any element of an array', { tags: ['green'] }, true],
    ['no element', { tags: ['blue'] }, false],
    ['an object in nested arrays', { deep: { id: ['x'] } }, true],
    ['one object of an array as a whole', { people: { first: ['Jane'], last: ['Jones'] } }, true],
    ['no mixture of two objects', { people: { first: ['Jane'], last: ['Doe'] } }, false],
    ['no object below a text', { name: { first: ['Blue'] } }, false],
    ['all fields, not some', { name: ['Blue Gate'], count: [1] }, false],
    ['a prefix', { name: [{ prefix: 'Blue' }] }, true],
    ['any string by an empty prefix', { name: [{ prefix: '' }] }, true],
    ['no number by a prefix', { count: [{ prefix: '3' }] }, false],
    ['a prefix in any case', { name: [{ prefix: { 'equals-ignore-case': 'bLUE' } }] }, true],
    ['a suffix', { name: [{ suffix: 'Gate' }] }, true],
    ['no other suffix', { name: [{ suffix: 'gate' }] }, false],
    ['a suffix in any case', { name: [{ suffix: { 'equals-ignore-case': 'gate' } }] }, true],
    ['a string in any case', { name: [{ 'equals-ignore-case': 'BLUE gate' }] }, true],
    ['anything but a string', { name: [{ 'anything-but': 'Red' }] }, true],
    ['not what anything-but names', { name: [{ 'anything-but': 'Blue Gate' }] }, false],
    ['anything but a list', { name: [{ 'anything-but': ['Red', 'Blue Gate'] }] }, false],
    ['anything but numbers', { count: [{ 'anything-but': [1, 2] }] }, true],
    ['no absent field by anything-but', { missing: [{ 'anything-but': 'Red' }] }, false],
    ['some element that is not named', { tags: [{ 'anything-but': 'red' }] }, true],
    ['no element when all are named', { tags: [{ 'anything-but': ['red', 'green'] }] }, false],
    ['anything but a prefix', { name: [{ 'anything-but': { prefix: 'Blue' } }] }, false],
    ['anything but prefixes', { name: [{ 'anything-but': { prefix: ['Red', 'Gr'] } }] }, true],
    ['anything but a suffix', { name: [{ 'anything-but': { suffix: 'Door' } }] }, true],
    ['anything but a wildcard', { name: [{ 'anything-but': { wildcard: '*Ga*' } }] }, false],
    ['anything but in any case', { name: [{ 'anything-but': { 'equals-ignore-case': ['blue GATE'] } }] }, false],
    ['what exists', { name: [{ exists: true }] }, true],
    ['what exists as null', { none: [{ exists: true }] }, true],
    ['no missing field', { missing: [{ exists: true }] }, false],
    ['what does not exist', { missing: [{ exists: false }] }, true],
    ['what does not exist below what does not', { missing: { deeper: [{ exists: false }] } }, true],
    ['an empty array as absent', { empty: [{ exists: false }] }, true],
    ['a missing field or a value', { missing: ['x', { exists: false }] }, true],
    ['an equal number by numeric', { count: [{ numeric: ['=', 300] }] }, true],
    ['a range, its ends as stated', { count: [{ numeric: ['>', 0, '<=', 300] }] }, true],
    ['nothing outside a range', { count: [{ numeric: ['>=', 0, '<', 300] }] }, false],
    ['a negative number', { ratio: [{ numeric: ['<', 0] }] }, true],
    ['no text by numeric', { name: [{ numeric: ['>', 0] }] }, false],
    ['a wildcard', { name: [{ wildcard: 'B*G*e' }] }, true],
    ['a wildcard alone', { name: [{ wildcard: '*' }] }, true],
    ['no wildcard whose parts overlap', { name: [{ wildcard: 'Blue Gat*Gate' }] }, false],
    ['no star that is escaped', { name: [{ wildcard: 'Blue\\*' }] }, false],
    ['an address in a range', { address: [{ cidr: '10.0.0.0/24' }] }, true],
    ['no address outside', { address: [{ cidr: '10.0.1.0/24' }] }, false],
    ['an IPv6 address', { v6: [{ cidr: '2001:db8::/32' }] }, true],
    ['no IPv4 address by an IPv6 range', { address: [{ cidr: '::/0' }] }, false],
    ['no text by a range', { name: [{ cidr: '0.0.0.0/0' }] }, false],
    ['one of the alternatives', { $or: [{ name: ['no'] }, { count: [{ numeric: ['>', 1] }] }] }, true],
    ['none of the alternatives', { $or: [{ name: ['no'] }, { count: [1] }] }, false],
    ['alternatives and the rest', { flag: [false], $or: [{ name: ['Blue Gate'] }, { count: [1] }] }, false],
  ])('%s', (_, pattern, expected) => {
    expect(onDetail(pattern)).toBe(expected);
  });

  test('the envelope like the detail', () => {
    const pattern = { source: ['gatehouse'], 'detail-type': [{ prefix: 'organization.' }], resources: ['arn:b'] };
    expect(compilePattern(JSON.stringify(pattern))(event)).toBe(true);
  });

  test('escaped stars and backslashes literally', () => {
    const pattern = compilePattern(JSON.stringify({ a: [{ wildcard: '\\**\\\\' }] }));
    expect([pattern({ a: '*x\\' }), pattern({ a: 'xx\\' })]).toEqual([true, false]);
  });

  test('no inherited members', () => {
    expect(compilePattern('{"constructor":[{"exists":true}]}')(event)).toBe(false);
    expect(compilePattern('{"__proto__":{"x":[1]}}')(event)).toBe(false);
  });

  test('a long value in linear time, whatever the wildcard', () => {
    const pattern = compilePattern(JSON.stringify({ a: [{ wildcard: `${'*a'.repeat(500)}*b` }] }));
    const started = performance.now();
    expect(pattern({ a: 'a'.repeat(200_000) })).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('a pattern is rejected with its reason', () => {
  test.each([
    ['{', 'not JSON'],
    ['[]', 'the pattern must be an object'],
    ['{}', 'the pattern must not be empty'],
    ['{"source":"a"}', 'source must be an object or an array'],
    ['{"source":[]}', 'source must not be an empty array'],
    ['{"detail":{"a":{}}}', 'detail.a must not be empty'],
    ['{"a":[{"like":"b"}]}', 'a has an unknown operator, "like"'],
    ['{"a":[{"constructor":"b"}]}', 'unknown operator'],
    ['{"a":[{"prefix":"b","suffix":"c"}]}', 'exactly one operator'],
    ['{"a":[["b"]]}', 'exactly one operator'],
    ['{"a":[{"prefix":1}]}', 'prefix at a must be a string'],
    ['{"a":[{"suffix":""}]}', 'suffix at a must not be empty'],
    ['{"a":[{"exists":"yes"}]}', 'exists at a must be true or false'],
    ['{"a":[{"numeric":[">",5,"<",5]}]}', 'lower bound below'],
    ['{"a":[{"numeric":["<",5,">",1]}]}', 'lower bound first'],
    ['{"a":[{"numeric":["!",5]}]}', 'unknown comparison'],
    ['{"a":[{"numeric":["<",5e10]}]}', 'within'],
    ['{"a":[{"numeric":[]}]}', 'one comparison or a range'],
    ['{"a":[{"wildcard":"a**b"}]}', 'consecutive stars'],
    ['{"a":[{"wildcard":"a\\\\b"}]}', 'backslash'],
    ['{"a":[{"cidr":"10.0.0.0/33"}]}', 'cidr at a'],
    ['{"a":[{"cidr":"10.0.0.0"}]}', 'cidr at a'],
    ['{"a":[{"anything-but":["b",1]}]}', 'strings or numbers'],
    ['{"a":[{"anything-but":[]}]}', 'strings or numbers'],
    ['{"a":[{"anything-but":{"numeric":["=",1]}}]}', 'anything-but at a cannot hold "numeric"'],
    ['{"$or":[{"a":["b"]}]}', '$or must be an array of two or more'],
    [`${'{"a":'.repeat(200)}["b"]${'}'.repeat(200)}`, 'nested too deeply'],
  ])('%s', (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(reason);
  });
});
