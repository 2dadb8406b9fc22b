import { describe, expect, test } from '@jest/globals';

import { decodeUtf8, JsonError, MAX_DEPTH, parseJson } from '../../functions/kernel/json.ts';

const nested = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels);

describe('JSON', () => {
  test.each([
    '{"a":1,"b":[true,null,"x"]}',
    '"a"',
    '1.5e3',
    ' { "a" : { "a" : 1 } , "b" : { "a" : 2 } } ',
    '[]',
    '{"":1}',
  ])('is parsed with the same result as JSON.parse: %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test.each([
    '',
    '{',
    '{"a":}',
    "{'a':1}",
    '{"a":1,}',
    '[1 2]',
    '{"a":1}}',
    'undefined',
    '{"\\u00":1}',
    '{"a\n":1}',
    '\uFEFF{}',
  ])('is rejected if invalid: %j', (text) => {
    expect(() => parseJson(text)).toThrow(JsonError);
  });

  // If each quote were tried as the start of a text, these would take half an hour.
  test.each([
    ['', 'a text of a megabyte that has no end'],
    ['\\', 'one that ends in the middle of an escape'],
    ['"', 'one that ends'],
  ])('is parsed in linear time with %j at its end: %s', (end) => {
    const text = `"${'\\"'.repeat(500_000)}${end}`;
    if (end === '"') expect(parseJson(text)).toHaveLength(500_000);
    else expect(() => parseJson(text)).toThrow(JsonError);
  });

  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":{"c":1,"d":[{}],"c":2}}', 'c'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a":{"x":1},"b":[{"y":1}],"a":[]}', 'a'],
    ['[{"a":1},{"a":1,"a":1}]', 'a'],
  ])('rejects a member that occurs twice, and names it: %s', (text, name) => {
    expect(() => parseJson(text)).toThrow(`names the member ${name} twice`);
  });

  test('accepts the same name in two objects, and names as values', () => {
    expect(parseJson('{"a":{"a":"a"},"b":["a","a"],"c":"b"}')).toEqual({ a: { a: 'a' }, b: ['a', 'a'], c: 'b' });
  });

  test.each(['{"__proto__":{"admin":true}}', '{"a":[{"constructor":{"prototype":{}}}]}', '{"__pro\\u0074o__":1}'])(
    'rejects a member whose name is that of a prototype: %s',
    (text) => {
      expect(() => parseJson(text)).toThrow('reserved name');
      expect({}).not.toHaveProperty('admin');
    },
  );

  test('rejects half of a surrogate pair, and accepts a whole one and its escape', () => {
    for (const text of ['"\\ud800"', '{"\\uDFFF":1}', '["a","\\uD83D x"]'])
      expect(() => parseJson(text)).toThrow('surrogate');
    expect(parseJson('["\\uD83D\\uDD11","🔑","\\\\ud800"]')).toEqual(['🔑', '🔑', '\\ud800']);
  });

  test('accepts member names like `__proto__`, and braces, within text', () => {
    expect(parseJson('{"a":"__proto__ {[\\"{","b":"\\\\"}')).toEqual({ a: '__proto__ {["{', b: '\\' });
  });

  test('rejects nesting beyond its limit without a stack overflow', () => {
    expect(parseJson(nested(MAX_DEPTH))).toBeDefined();
    expect(() => parseJson(nested(MAX_DEPTH + 1))).toThrow('deeper');
    expect(() => parseJson('['.repeat(1_000_000))).toThrow('deeper');
    expect(() => parseJson(nested(MAX_DEPTH + 1, '{"a":', '}'))).toThrow('deeper');
  });

  test('parses a body of one MiB without blocking', () => {
    const body = JSON.stringify({ name: '\\"{['.repeat(200_000) });
    const hostile = `{${'"a":"'.repeat(200_000)}`;
    const startedAt = performance.now();
    expect(parseJson(body)).toBeDefined();
    expect(() => parseJson(hostile)).toThrow(JsonError);
    expect(() => parseJson('"'.repeat(1_000_001))).toThrow(JsonError);
    expect(() => parseJson(`"${'\\'.repeat(1_000_001)}`)).toThrow(JsonError);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('bytes', () => {
  test('are read as UTF-8', () => {
    expect(decodeUtf8(new TextEncoder().encode('Zoë 🔑'))).toBe('Zoë 🔑');
  });

  test.each([[[0xff]], [[0xc0, 0xaf]], [[0xed, 0xa0, 0x80]], [[0xe2, 0x82]], [[0x22, 0x80, 0x22]]])(
    'that are not UTF-8 are rejected: %j',
    (bytes) => {
      expect(() => decodeUtf8(new Uint8Array(bytes))).toThrow(JsonError);
    },
  );
});
